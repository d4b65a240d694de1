/** The first page: every encoder as a card, trouble lifted above them (DASH-01 to DASH-26). */
import { type Encoder, DASHBOARD_PAGE_SIZES } from '@trunkline/contract/encoders/encoder.schema'
import type { Show } from '@trunkline/contract/fleet/show.rules'
import { controlFor } from '@trunkline/contract/role-table'
import { useState } from 'react'
import { usePreload } from '../../lib/later.ts'
import { useRole } from '../../lib/session.ts'
import { useShortcut } from '../../lib/shortcuts.ts'
import { GroupPicker } from '../../shared/choices/GroupPicker.tsx'
import { SearchBar } from '../../shared/list/SearchBar.tsx'
import { ButtonLink } from '../../shared/page/ButtonLink.tsx'
import { LaterDialog } from '../../shared/page/Later.tsx'
import { StatesChanged } from '../../shared/list/StatesChanged.tsx'
import { PageHead } from '../../shared/page/PageHead.tsx'
import { Button, IconButton } from '../../ui/button/Button.tsx'
import { Segmented } from '../../ui/choice/Segmented.tsx'
import { Pager } from '../../ui/table/Pager.tsx'
import { WELCOME } from '../encoder.messages.ts'
import { ENCODER_LOG } from '../encoder-log.loader.ts'
import { ENCODER_DIALOG } from '../record/encoder-dialog.loader.ts'
import { AttentionStrip } from './AttentionStrip.tsx'
import { useDashboard, type Dashboard } from './dashboard.hook.ts'
import classes from './EncoderDashboardPage.module.css'
import { EncoderGrid } from './EncoderGrid.tsx'

// The first page is drawn before anybody adds an encoder to it.
const SOON_WANTED = [ENCODER_LOG, ENCODER_DIALOG]

export function EncoderDashboardPage() {
  const dashboard = useDashboard()
  const [logOf, setLogOf] = useState<Encoder | null>(null)
  const [isAdding, setAdding] = useState(false)
  const mayAdd = controlFor(useRole(), 'addEncoder') === 'usable'
  usePreload(!dashboard.isLoading, SOON_WANTED)
  useShortcut('n', () => setAdding(mayAdd))
  useShortcut('r', dashboard.refresh)
  return (
    <>
      <PageHead
        title={WELCOME}
        views={
          <Segmented<Show>
            label="Show"
            value={dashboard.show}
            onChange={dashboard.setShow}
            segments={[
              { value: 'all', label: 'All', count: dashboard.counts?.all ?? null },
              {
                value: 'attention',
                label: 'Need attention',
                count: dashboard.counts?.attention ?? null,
              },
              { value: 'well', label: 'Well', count: dashboard.counts?.well ?? null },
              { value: 'off', label: 'Off', count: dashboard.counts?.off ?? null },
            ]}
          />
        }
        tools={
          <>
            <SearchBar
              key={dashboard.searchKey}
              label="Search encoders"
              onSearch={dashboard.setSearch}
            />
            <GroupPicker
              value={dashboard.group}
              onChange={dashboard.setGroup}
              hasAll={dashboard.hasAllGroups}
            />
            <IconButton icon="refresh" label="Refresh" onClick={dashboard.refresh} />
            <ButtonLink to="/dashboard/path" preload={false}>
              Signal paths
            </ButtonLink>
            {mayAdd && (
              <Button tone="primary" icon="plus" onClick={() => setAdding(true)}>
                Add
              </Button>
            )}
          </>
        }
      />
      {dashboard.hasStrip && (
        <AttentionStrip
          encoders={dashboard.troubles}
          count={dashboard.counts?.attention ?? 0}
          total={dashboard.counts?.all ?? dashboard.total}
          onLog={setLogOf}
          onShowAll={() => dashboard.setShow('attention')}
        />
      )}
      <EncoderGrid dashboard={dashboard} onLog={setLogOf} />
      <DashboardFoot dashboard={dashboard} />
      {logOf !== null && (
        <LaterDialog part={ENCODER_LOG} props={{ encoder: logOf, onClose: () => setLogOf(null) }} />
      )}
      {isAdding && (
        <LaterDialog
          part={ENCODER_DIALOG}
          props={{ encoder: null, onClose: () => setAdding(false) }}
        />
      )}
    </>
  )
}

/** How to read the little charts, and the pager; without pages while a search is on (Q72). */
function DashboardFoot({ dashboard }: { dashboard: Dashboard }) {
  return (
    <div className={classes.foot}>
      {dashboard.isOutdated ? (
        <StatesChanged onShow={dashboard.refresh} />
      ) : (
        <p>Bitrate: last 5 min, dashed line is the mux rate.</p>
      )}
      {dashboard.pagedTotal > 0 && (
        <Pager
          page={dashboard.page}
          rowsPerPage={dashboard.rows}
          sizes={DASHBOARD_PAGE_SIZES}
          total={dashboard.pagedTotal}
          onPage={dashboard.setPage}
          onRowsPerPage={dashboard.setRows}
        />
      )}
    </div>
  )
}
