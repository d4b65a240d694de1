/** What a line keeps beyond its row: each field before and after, and all that names it exactly. */
import type { AuditEntry } from '@trunkline/contract/audit/audit.schema'
import { clockExactText, UNKNOWN } from '../shared/format.ts'
import { reasonOf, subjectOf, whatOf } from '../shared/activity/activity.rules.ts'
import classes from './ActivityDetail.module.css'
import { differencesOf } from './difference.rules.ts'

export function ActivityDetail({ entry }: { entry: AuditEntry }) {
  return (
    <div className={classes.detail}>
      <Differences entry={entry} />
      <Facts entry={entry} />
    </div>
  )
}

function Differences({ entry: { before, after } }: { entry: AuditEntry }) {
  const { changed, sameCount } = differencesOf(before, after)
  if (changed.length === 0) {
    return (
      <p className={classes.nothing}>
        {sameCount === 0 ? 'No content was recorded with this line.' : 'No field differs.'}
      </p>
    )
  }
  return (
    <div className={classes.differences}>
      <table aria-label="Before and after">
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {changed.map((item) => (
            <tr key={item.field}>
              <th scope="row">{item.field}</th>
              <td data-gone>{item.before ?? UNKNOWN}</td>
              <td>{item.after ?? UNKNOWN}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {sameCount > 0 && (
        <p className={classes.same}>
          {sameCount === 1 ? '1 field' : `${sameCount} fields`} not changed.
        </p>
      )}
    </div>
  )
}

function Facts({ entry }: { entry: AuditEntry }) {
  const { object, actor } = entry
  const reason = reasonOf(entry)
  return (
    <dl className={classes.facts}>
      <Fact label="When" value={clockExactText(Date.parse(entry.at))} />
      {actor !== null && (
        <Fact
          label="Who"
          value={actor.role === null ? actor.fullName : `${actor.fullName}, ${actor.role}`}
        />
      )}
      {entry.token !== '' && <Fact label="API token" value={entry.token} />}
      <Fact label="What" value={whatOf(entry)} />
      {object !== null && <Fact label="Object" value={objectText(entry, object._id)} />}
      <Fact label="Call" value={entry.call} />
      {entry.ip !== '' && <Fact label="From" value={entry.ip} />}
      {reason !== '' && <Fact label="Reason" value={reason} />}
    </dl>
  )
}

/** In full: a row of the list has room for a part of a long title only. */
function objectText(entry: AuditEntry, id: string): string {
  const { kind, title } = subjectOf(entry)
  return title === '' ? `${kind} ${id}` : `${title} (${kind} ${id})`
}

function Fact({ label, value }: { label: string; value: string }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </>
  )
}
