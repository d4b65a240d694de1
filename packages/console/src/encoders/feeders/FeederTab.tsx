/** The feeders of an encoder: links that carry its stream to a server of ours. */
import { rowsOfPage } from '@trunkline/contract/search/sorted-rows.rules'
import { useQuery } from '@tanstack/react-query'
import type { Feeder } from '@trunkline/contract/encoders/encoder-config.schema'
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import { needsAttention, viewOfLink } from '@trunkline/contract/fleet/state-view.rules'
import { mayDo } from '@trunkline/contract/role-table'
import { useState } from 'react'
import { programKey } from '@trunkline/contract/fleet/watch-key.rules'
import { useFreshness, usePrograms } from '../../lib/live/live-hooks.ts'
import { useRole } from '../../lib/session.ts'
import { storage } from '../../lib/storage.ts'
import { KeptHistory } from '../../programs/history/link-samples.hook.ts'
import { PagedTable } from '../../shared/list/PagedTable.tsx'
import { useOpenedId } from '../../shared/list/opened-id.hook.ts'
import { usePaging } from '../../shared/list/paging.hook.ts'
import { useSortedRows, withSorting } from '../../shared/list/sorted-rows.hook.ts'
import { Button, IconButton } from '../../ui/button/Button.tsx'
import { Empty } from '../../ui/notice/Notice.tsx'
import type { Column } from '../../ui/table/Table.tsx'
import { ACTION_FAILED } from '../../programs/command/command.messages.ts'
import { LogDialog } from '../../programs/log/LogDialog.tsx'
import { encoderQuery } from '../encoder.queries.ts'
import * as text from './feeder.messages.ts'
import { feederLogQuery } from './feeder.queries.ts'
import { sourceOf, targetOf } from './feeder.rules.ts'
import { nextInputPort } from './feeder-form.rules.ts'
import { FeederDialog } from './FeederDialog.tsx'
import { FeederRow } from './FeederRow.tsx'
import classes from './FeederTab.module.css'

/** FEED-01. */
const PAGE_SIZES = [12, 28, 56] as const
const PAGING = { sizes: PAGE_SIZES, rowsEntry: storage.feederRowsPerPage }

/** What is open over the table. */
type Opened =
  | { what: 'add' }
  | { what: 'edit'; feeder: Feeder; latencyMs: number | null }
  | { what: 'log'; feeder: Feeder }
  | null

export function FeederTab({ encoder: given }: { encoder: Encoder }) {
  const answer = useQuery(encoderQuery(given._id))
  const encoder = answer.data ?? given
  const { sorting, sorted } = useSortedRows(SORTED)
  const feeders = sorted(encoder.config?.feeder ?? [])
  const [opened, setOpened] = useState<Opened>(null)
  const { openedId } = useOpenedId()
  const startsAt = feeders.findIndex(({ name }) => name === openedId)
  const paging = withSorting(usePaging({ ...PAGING, startsAt }), sorting)
  const close = () => setOpened(null)
  return (
    <section className={classes.tab} aria-label="Feeders of this encoder">
      <Head
        encoder={encoder}
        onRefresh={() => void answer.refetch()}
        onAdd={() => setOpened({ what: 'add' })}
      />
      <div className={classes.box}>
        <KeptHistory value="feeder">
          <PagedTable
            label="Feeders"
            columns={COLUMNS}
            answer={answer}
            rows={rowsOfPage(feeders, paging)}
            total={feeders.length}
            paging={paging}
            sizes={PAGE_SIZES}
            rowHeight={44}
            failedText={text.LIST_FAILED}
            empty={<NoFeeders encoder={encoder} />}
            foot={text.FOOT}
            rowOf={(feeder) => (
              <FeederRow
                key={feeder.name}
                encoder={encoder}
                feeder={feeder}
                startsOpen={feeder.name === openedId}
                onLog={() => setOpened({ what: 'log', feeder })}
                onEdit={(edited, latencyMs) =>
                  setOpened({ what: 'edit', feeder: edited, latencyMs })
                }
              />
            )}
          />
        </KeptHistory>
      </div>
      {opened?.what === 'log' && (
        <FeederLog encoderId={encoder._id} feeder={opened.feeder} onClose={close} />
      )}
      {(opened?.what === 'add' || opened?.what === 'edit') && (
        <FeederDialog
          encoder={encoder}
          feeder={opened.what === 'edit' ? opened.feeder : null}
          latencyMs={opened.what === 'edit' ? opened.latencyMs : null}
          onClose={close}
        />
      )}
    </section>
  )
}

interface FeederLogProps {
  encoderId: string
  feeder: Feeder
  onClose: () => void
}

function FeederLog({ encoderId, feeder, onClose }: FeederLogProps) {
  return (
    <LogDialog
      title={text.LOG_TITLE}
      subtitle={feeder.input.title}
      level={3}
      queryFor={(use) => feederLogQuery(encoderId, feeder.name, use)}
      failedText={ACTION_FAILED}
      onClose={onClose}
    />
  )
}

const COLUMNS: readonly Column[] = [
  { head: 'Expand', isHeadHidden: true, width: 50 },
  { head: 'Status', width: [230, 210] },
  { head: 'Title', sort: 'title' },
  { head: 'Input', sort: 'input', width: [178, 150] },
  { head: 'Target', sort: 'target', width: [200, 176] },
  { head: 'Latency', sort: 'latency', width: 92 },
  { head: 'Uptime', width: 104 },
  { head: 'Actions', width: 222, align: 'buttons' },
]
const SORTED = {
  table: 'feeders',
  values: {
    title: ({ input }: Feeder) => input.title,
    input: (feeder: Feeder) => sourceOf(feeder),
    target: (feeder: Feeder) => targetOf(feeder),
    latency: ({ output }: Feeder) => output[0]?.latency ?? null,
  },
} as const

interface HeadProps {
  encoder: Encoder
  onRefresh: () => void
  onAdd: () => void
}

function Head({ encoder, onRefresh, onAdd }: HeadProps) {
  const role = useRole()
  const { config } = encoder
  const count = config?.feeder.length ?? 0
  const inTrouble = useInTrouble(encoder)
  return (
    <header className={classes.head}>
      <h2>
        {count} {count === 1 ? 'feeder' : 'feeders'}
      </h2>
      {inTrouble > 0 && (
        <span>
          {inTrouble} {inTrouble === 1 ? 'needs' : 'need'} attention
        </span>
      )}
      <div className={classes.tools}>
        {config !== null && mayDo(role, 'editFeeders') && (
          <span>Next free input port {nextInputPort(config)}</span>
        )}
        <IconButton icon="refresh" label="Read feeders again" onClick={onRefresh} />
        {mayDo(role, 'editFeeders') && (
          <Button
            icon="plus"
            tone="primary"
            disabledReason={config === null ? text.SAVE_CONFIG_FIRST : null}
            onClick={onAdd}
          >
            Add feeder
          </Button>
        )}
      </div>
    </header>
  )
}

function useInTrouble({ config, isEnabled }: Encoder): number {
  const keys = (config?.feeder ?? []).map(({ name }) => programKey('feeder', name))
  const programs = usePrograms(keys)
  const freshness = useFreshness(keys)
  const views = (config?.feeder ?? []).map(({ name }) =>
    viewOfLink({
      kind: 'feeder',
      isEnabled,
      inputType: null,
      status: programs.get(programKey('feeder', name)) ?? null,
      freshness,
    }),
  )
  return views.filter(({ family }) => needsAttention(family)).length
}

/** FEED-15, FEED-16. */
function NoFeeders({ encoder }: { encoder: Encoder }) {
  if (encoder.config === null) return <Empty title={text.SAVE_CONFIG_FIRST} />
  return (
    <Empty title="No feeders yet">
      A feeder carries the stream of this encoder to one of your servers.
    </Empty>
  )
}
