/** Which input carries the picture, and which would take over (CHAN-25). */
import { sourcesOf } from '@trunkline/contract/channels/channel.rules'
import type { StreamDetail } from '@trunkline/contract/channels/stream.schema'
import { useApiNow } from '../lib/live-hooks.ts'
import { durationText } from '../shared/format.ts'
import { StateChip } from '../shared/StateChip.tsx'
import classes from './Sources.module.css'

type StreamInput = StreamDetail['inputs'][number]

const ACTIVE = { family: 'ok', shape: 'disc', word: 'Active', cause: '', sinceMs: null } as const

export function Sources({ stream }: { stream: StreamDetail | null }) {
  const { current, standby } = stream === null ? NONE : sourcesOf(stream)
  const [first, ...others] = standby
  return (
    <div className={classes.sources}>
      <section aria-label="Current source">
        <h3>
          Current source
          {current !== null && <StateChip view={ACTIVE} />}
        </h3>
        {current === null ? <p>No input carries a picture.</p> : <Current input={current} />}
      </section>
      <section aria-label="Standby source">
        <h3>Standby source</h3>
        {first === undefined ? <p>None</p> : <code title={first.url}>{first.url}</code>}
        {first !== undefined && <small>{standbyText(others.length)}</small>}
      </section>
    </div>
  )
}

const NONE = { current: null, standby: [] as StreamInput[] }

function Current({ input }: { input: StreamInput }) {
  const nowMs = useApiNow()
  const openedAtMs = input.stats?.opened_at
  return (
    <>
      <code title={input.url}>{input.url}</code>
      {openedAtMs !== undefined && <small>active for {durationText(nowMs - openedAtMs)}</small>}
    </>
  )
}

function standbyText(others: number): string {
  return others === 0 ? 'Standing by' : `and ${others} more behind it`
}
