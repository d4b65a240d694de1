/** The own account: names, e-mail, password; groups and role to read; and the way out of every browser. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { isAdminLevel } from '@trunkline/contract/roles'
import type { SessionUser } from '@trunkline/contract/session/session.schema'
import { User } from '@trunkline/contract/users/user.schema'
import { useEffect, useRef, useState } from 'react'
import { CurrentPassword } from '../../forms/DialogFields.tsx'
import { readCurrentBy, useForm, type Form } from '../../forms/form.hook.ts'
import { FormDialog } from '../../forms/FormDialog.tsx'
import { later } from '../../lib/later.ts'
import { LaterDialog } from '../../shared/page/Later.tsx'
import { Button } from '../../ui/button/Button.tsx'
import { NotRead } from '../../ui/notice/NotRead.tsx'
import { Switch } from '../../ui/choice/Switch.tsx'
import { signOutOfEverything, useUpdateAccount } from './account.actions.ts'
import { DisplaySection } from './DisplaySection.tsx'
import { PasswordChangeFields } from './PasswordChangeFields.tsx'
import { PasskeyList, type ShownPasskey } from './PasskeyList.tsx'
import { PersonFields } from '../form/PersonFields.tsx'
import { SecondFactorSection } from './SecondFactorSection.tsx'
import { SessionList } from './SessionList.tsx'
import { secondFactorQuery, userQuery } from '../user.queries.ts'
import {
  ACCOUNT_FAILED,
  ACCOUNT_NOT_READ,
  ASK_SETTING,
  ASK_SETTING_HELP,
  CURRENT_PASSWORD_WHY,
  FIELD_LABELS,
  FROM_PROVIDER,
  OTHERS_SIGN_OUT,
  OWN_FACTOR_OFF,
  UPDATE_FAILED,
} from '../user.messages.ts'
import {
  changesAccess,
  checkCurrentPassword,
  checkPasswordChange,
  checkPerson,
  ownValuesOf,
  type OwnValues,
} from '../form/user-form.rules.ts'
import classes from '../form/UserForm.module.css'

const PASSKEY_DIALOG = later(
  'passkey dialog',
  async () => (await import('./PasskeyDialog.tsx')).PasskeyDialog,
)
const FACTOR_DIALOG = later(
  'second factor dialog',
  async () => (await import('./SecondFactorDialog.tsx')).SecondFactorDialog,
)

/** `backFrom`: the dialog that was closed last, whose button has the focus again. */
type AccountView =
  | { is: 'account'; backFrom: 'factor' | 'passkey' | null }
  | { is: 'question' }
  | { is: 'factor'; isOn: boolean }
  | { is: 'passkey'; shown: ShownPasskey }

interface AccountDialogProps {
  /** Who is signed in: shown at once, while the record with its version is read. */
  user: SessionUser
  onClose: () => void
}

export function AccountDialog({ user, onClose }: AccountDialogProps) {
  const { form, answer, email } = useAccountForm(user, onClose)
  const isFailed = answer.isError && answer.data === undefined
  const [view, setView] = useState<AccountView>({ is: 'account', backFrom: null })
  // Kept while the dialogs that change it stand here: on the way back it is known at once.
  useQuery({ ...secondFactorQuery(user._id), enabled: !user.isFromProvider })
  // One dialog deep: it takes this one's place, and gives it back with what was typed here.
  if (view.is === 'question') return null
  if (view.is !== 'account') {
    const props = { userId: user._id, onClose: () => setView({ is: 'account', backFrom: view.is }) }
    return view.is === 'factor' ? (
      <LaterDialog part={FACTOR_DIALOG} props={{ ...props, isOn: view.isOn }} />
    ) : (
      <LaterDialog part={PASSKEY_DIALOG} props={{ ...props, shown: view.shown }} />
    )
  }
  return (
    <FormDialog
      title="Your account"
      width={560}
      form={form}
      saveLabel="Save"
      disabledReason={answer.data !== undefined ? null : isFailed ? ACCOUNT_NOT_READ : ''}
      onClose={onClose}
      aside={
        <Button
          icon="out"
          size={36}
          tone="quiet"
          onClick={() => {
            setView({ is: 'question' })
            void signOutOfEverything().finally(() => setView({ is: 'account', backFrom: null }))
          }}
        >
          Sign out everywhere
        </Button>
      }
    >
      <dl className={classes.facts}>
        <dt>Role</dt>
        <dd>{user.mode.name}</dd>
        <dt>Groups</dt>
        <dd>{groupsText(user)}</dd>
      </dl>
      {isFailed ? (
        <NotRead
          title={ACCOUNT_FAILED}
          error={answer.error}
          onRetry={() => void answer.refetch()}
        />
      ) : (
        <>
          {!user.isFromProvider && <PersonFields form={form} whose="own" />}
          <AskSetting form={form} />
          {user.isFromProvider ? (
            <p className={classes.note}>{FROM_PROVIDER}</p>
          ) : (
            <>
              <PasswordChangeFields form={form} consequence={OTHERS_SIGN_OUT} />
              {changesAccess(form.values, email) && (
                <CurrentPassword form={form} hint={CURRENT_PASSWORD_WHY} />
              )}
              <SecondFactorSection
                userId={user._id}
                offText={OWN_FACTOR_OFF}
                action={({ isOn }) => (
                  <Button
                    size={28}
                    data-autofocus={view.backFrom === 'factor' || undefined}
                    onClick={() => setView({ is: 'factor', isOn })}
                  >
                    {isOn ? 'Turn off' : 'Turn on'}
                  </Button>
                )}
              />
              <PasskeyList
                userId={user._id}
                isBack={view.backFrom === 'passkey'}
                onShow={(shown) => setView({ is: 'passkey', shown })}
              />
            </>
          )}
          <DisplaySection userId={user._id} version={answer.data?.version} />
          <SessionList userId={user._id} />
          {!user.isFromProvider && <TokensLink onClose={onClose} />}
        </>
      )}
    </FormDialog>
  )
}

/** A page of their own: a dialog is one deep. */
function TokensLink({ onClose }: { onClose: () => void }) {
  return (
    <p className={classes.note}>
      Scripts sign in with API tokens.{' '}
      <Link
        to="/dashboard/userManager"
        search={{ tab: 'tokens' }}
        preload={false}
        onClick={onClose}
      >
        Your API tokens
      </Link>
    </p>
  )
}

/** Off at first: then such an action is done at once, and can be undone for 10 s. */
function AskSetting({ form }: { form: Form<OwnValues> }) {
  return (
    <div className={classes.setting}>
      <Switch
        label={ASK_SETTING}
        isOn={form.values.asksBeforeInterrupting}
        isBusy={false}
        onToggle={(next) => form.set({ asksBeforeInterrupting: next })}
      />
      <p>
        <b>{ASK_SETTING}</b> {ASK_SETTING_HELP}
      </p>
    </div>
  )
}

function useAccountForm(user: SessionUser, onClose: () => void) {
  const update = useUpdateAccount()
  const answer = useQuery(userQuery(user._id))
  const email = answer.data?.email ?? user.email
  const form = useForm({
    initial: ownValuesOf(user),
    version: null,
    check: (values) => ({
      ...checkPerson(values),
      ...checkPasswordChange(values),
      ...checkCurrentPassword(values, email),
    }),
    save: async (values, version) => update(user._id, values, { email, version }),
    onSaved: onClose,
    keptAs: ['account'],
    labels: FIELD_LABELS,
    fallback: UPDATE_FAILED,
    readCurrent: readCurrentBy(User, ownValuesOf),
  })
  const isAdopted = useRef(false)
  const { data } = answer
  useEffect(() => {
    // Once: a later reading, which push may bring, must not hide that somebody else has saved.
    if (data === undefined || isAdopted.current) return
    isAdopted.current = true
    form.adopt(ownValuesOf(data), data.version)
  }, [data, form])
  return { form, answer, email }
}

function groupsText({ groups, mode }: SessionUser): string {
  if (groups.length > 0) return groups.map((group) => group.title).join(', ')
  return isAdminLevel(mode.name) ? 'All groups' : 'None'
}
