/** Who did what to this channel last, for those who may read the record of activity. */
import { useQuery } from '@tanstack/react-query'
import type { AuditEntry } from '@trunkline/contract/audit/audit.schema'
import type { Channel } from '@trunkline/contract/channels/channel.schema'
import { useApiNow } from '../../lib/live/live-hooks.ts'
import { reasonOf, whoOf } from '../../shared/activity/activity.rules.ts'
import { clockMomentText, UNKNOWN } from '../../shared/format.ts'
import { CHANGES_FAILED, NO_CHANGES } from '../channel.messages.ts'
import { channelChangesQuery } from '../channel.queries.ts'
import { changeText, whenText } from './changes.rules.ts'
import classes from './LastChanges.module.css'
import { Panel } from './Panel.tsx'

export function LastChanges({ channel }: { channel: Channel }) {
  const { data, isError } = useQuery(channelChangesQuery(channel.id))
  return (
    <Panel title="Last changes">
      {data === undefined || data.length === 0 ? (
        <p className={classes.none}>{data === undefined ? waiting(isError) : NO_CHANGES}</p>
      ) : (
        <ul className={classes.lines}>
          {data.map((entry) => (
            <Line key={entry._id} entry={entry} />
          ))}
        </ul>
      )}
    </Panel>
  )
}

function waiting(isError: boolean): string {
  return isError ? CHANGES_FAILED : UNKNOWN
}

function Line({ entry }: { entry: AuditEntry }) {
  const nowMs = useApiNow()
  const text = changeText(entry)
  const reason = entry.result === 'done' ? '' : reasonOf(entry)
  return (
    <li data-result={entry.result}>
      <time dateTime={entry.at} title={clockMomentText(Date.parse(entry.at))}>
        {whenText(entry.at, nowMs)}
      </time>
      <span title={reason === '' ? text : `${text}. ${reason}`}>{text}</span>
      <em>by {whoOf(entry).name}</em>
    </li>
  )
}
