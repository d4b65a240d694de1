/** The own passkeys: what each is called, when it was added and last used, and where one is added, renamed or removed. */
import { useQuery } from '@tanstack/react-query'
import type { Passkey } from '@trunkline/contract/users/second-factor.calls'
import { useId } from 'react'
import { useApiNow } from '../../lib/live/live-hooks.ts'
import { agoText } from '../../shared/activity/activity.rules.ts'
import { Button } from '../../ui/button/Button.tsx'
import * as text from '../user.messages.ts'
import { secondFactorQuery } from '../user.queries.ts'
import classes from './SessionList.module.css'

/** What a dialog is opened for. `isLast`: no second factor is left without it. */
export type ShownPasskey =
  | { deed: 'add' }
  | { deed: 'rename'; passkey: Passkey }
  | { deed: 'remove'; passkey: Passkey; isLast: boolean }

interface PasskeyListProps {
  userId: string
  /** Whether a dialog of this list was closed last: the focus goes on here. */
  isBack: boolean
  onShow: (shown: ShownPasskey) => void
}

export function PasskeyList({ userId, isBack, onShow }: PasskeyListProps) {
  const titleId = useId()
  const { data } = useQuery(secondFactorQuery(userId))
  // The section above says that it could not be read.
  if (data === undefined) return null
  const { passkeys, passkeysRefused, isOn } = data
  const isLast = !isOn && passkeys.length === 1
  return (
    <section className={classes.sessions} aria-labelledby={titleId}>
      <h3 id={titleId}>Passkeys</h3>
      <p>{text.PASSKEYS_LEAD}</p>
      {passkeys.length === 0 ? (
        <p>{text.NO_PASSKEYS}</p>
      ) : (
        <ul>
          {passkeys.map((passkey) => (
            <PasskeyRow
              key={passkey.id}
              passkey={passkey}
              onRename={() => onShow({ deed: 'rename', passkey })}
              onRemove={() => onShow({ deed: 'remove', passkey, isLast })}
            />
          ))}
        </ul>
      )}
      {passkeysRefused === null ? (
        <Button
          size={28}
          data-autofocus={isBack || undefined}
          onClick={() => onShow({ deed: 'add' })}
        >
          {text.ADD_PASSKEY}
        </Button>
      ) : (
        <p>{passkeysRefused}</p>
      )}
    </section>
  )
}

interface PasskeyRowProps {
  passkey: Passkey
  onRename: () => void
  onRemove: () => void
}

function PasskeyRow({ passkey, onRename, onRemove }: PasskeyRowProps) {
  const nowMs = useApiNow()
  const { name, site, createdAt, lastUsedAt } = passkey
  return (
    <li className={classes.passkey}>
      <span>
        {name}
        <small>
          {site}, added{' '}
          <time dateTime={createdAt} title={createdAt}>
            {agoText(nowMs - Date.parse(createdAt))}
          </time>
        </small>
      </span>
      <span className={classes.used}>
        {lastUsedAt === null ? (
          text.NEVER_USED
        ) : (
          <>
            used{' '}
            <time dateTime={lastUsedAt} title={`Last used ${lastUsedAt}`}>
              {agoText(nowMs - Date.parse(lastUsedAt))}
            </time>
          </>
        )}
      </span>
      <span className={classes.actions}>
        <Button size={28} aria-label={`Rename passkey ${name}`} onClick={onRename}>
          Rename
        </Button>
        <Button size={28} aria-label={`Remove passkey ${name}`} onClick={onRemove}>
          Remove
        </Button>
      </span>
    </li>
  )
}
