/** Where somebody is signed in: device, address and last use of each session, and its end. */
import { useQuery } from '@tanstack/react-query'
import type { UserSession } from '@trunkline/contract/users/user-session.calls'
import { useId } from 'react'
import { useApiNow } from '../../lib/live/live-hooks.ts'
import { agoText } from '../../shared/activity/activity.rules.ts'
import { QueryContent } from '../../shared/page/QueryContent.tsx'
import { Button } from '../../ui/button/Button.tsx'
import { NO_SESSIONS, READING, SESSIONS_FAILED, UNKNOWN_DEVICE } from '../user.messages.ts'
import { userSessionsQuery } from '../user.queries.ts'
import { useEndSession, useIsEnding } from './account.actions.ts'
import classes from './SessionList.module.css'

export function SessionList({ userId }: { userId: string }) {
  const titleId = useId()
  const answer = useQuery(userSessionsQuery(userId))
  return (
    <section className={classes.sessions} aria-labelledby={titleId}>
      <h3 id={titleId}>Active sessions</h3>
      <QueryContent answer={answer} failedText={SESSIONS_FAILED} waiting={<p>{READING}</p>}>
        {(sessions) =>
          sessions.length === 0 ? (
            <p>{NO_SESSIONS}</p>
          ) : (
            <ul>
              {sessions.map((session) => (
                <SessionRow key={session.id} userId={userId} session={session} />
              ))}
            </ul>
          )
        }
      </QueryContent>
    </section>
  )
}

function SessionRow({ userId, session }: { userId: string; session: UserSession }) {
  const end = useEndSession(userId)
  const isEnding = useIsEnding(session.id)
  const nowMs = useApiNow()
  const device = session.device === '' ? UNKNOWN_DEVICE : session.device
  return (
    <li>
      <span>
        {device}
        <small>
          <code>{session.address}</code>
        </small>
      </span>
      <span className={classes.used}>
        used{' '}
        <time dateTime={session.usedAt} title={`Signed in ${session.signedInAt}`}>
          {agoText(nowMs - Date.parse(session.usedAt))}
        </time>
      </span>
      {session.isCurrent ? (
        <em>This session</em>
      ) : (
        <Button
          size={28}
          aria-label={`End session: ${device}, ${session.address}`}
          disabledReason={isEnding ? '' : null}
          onClick={() => void end(session.id)}
        >
          End
        </Button>
      )}
    </li>
  )
}
