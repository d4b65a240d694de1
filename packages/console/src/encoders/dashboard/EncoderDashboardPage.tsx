/** The first page: every encoder as a card, trouble lifted above them (DASH-01 to DASH-26). */
import { type Encoder, DASHBOARD_PAGE_SIZES } from '@trunkline/contract/encoders/encoder.schema'
import { controlFor } from '@trunkline/contract/role-table'
import { lazy, Suspense, useState } from 'react'
import { useRole } from '../../lib/session.ts'
import { useShortcut } from '../../lib/shortcuts.ts'
import { GroupPicker } from '../../shared/choices/GroupPicker.tsx'
import { SearchBar } from '../../shared/list/SearchBar.tsx'
import { PageHead } from '../../shared/page/PageHead.tsx'
import { Button, IconButton } from '../../ui/button/Button.tsx'
import { Segmented } from '../../ui/choice/Segmented.tsx'
import { Pager } from '../../ui/table/Pager.tsx'
import { WELCOME } from '../encoder.messages.ts'
import type { Show } from '../encoder.rules.ts'
import { EncoderLogDialog } from '../EncoderLogDialog.tsx'
import { AttentionStrip } from './AttentionStrip.tsx'
import { useDashboard, type Dashboard } from './dashboard.hook.ts'
import classes from './EncoderDashboardPage.module.css'
import { EncoderGrid } from './EncoderGrid.tsx'

// The first page is drawn before anybody adds an encoder to it.
const EncoderDialog = lazy(async () => ({
  default: (await import('../record/EncoderDialog.tsx')).EncoderDialog,
}))

export function EncoderDashboardPage() {
  const dashboard = useDashboard()
  const [logOf, setLogOf] = useState<Encoder | null>(null)
  const [isAdding, setAdding] = useState(false)
  const mayAdd = controlFor(useRole(), 'addEncoder') === 'usable'
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
            {mayAdd && (
              <Button tone="primary" icon="plus" onClick={() => setAdding(true)}>
                Add
              </Button>
            )}
          </>
        }
      />
      <AttentionStrip
        troubles={dashboard.troubles}
        count={dashboard.troubleCount}
        total={dashboard.counts?.all ?? dashboard.total}
        onLog={setLogOf}
        onShowAll={() => dashboard.setShow('attention')}
      />
      <EncoderGrid dashboard={dashboard} onLog={setLogOf} />
      <DashboardFoot dashboard={dashboard} />
      {logOf !== null && <EncoderLogDialog encoder={logOf} onClose={() => setLogOf(null)} />}
      {isAdding && (
        <Suspense>
          <EncoderDialog encoder={null} onClose={() => setAdding(false)} />
        </Suspense>
      )}
    </>
  )
}

/** How to read the little charts, and the pager; without pages while a search is on (Q72). */
function DashboardFoot({ dashboard }: { dashboard: Dashboard }) {
  return (
    <div className={classes.foot}>
      <p>Bitrate: last 5 min, dashed line is the mux rate.</p>
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
