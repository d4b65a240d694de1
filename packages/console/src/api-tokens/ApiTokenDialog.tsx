/** 'New API token': of oneself, or by an admin of a service; then shows the token, once. */
import { mayDo } from '@trunkline/contract/role-table'
import { isAdminLevel } from '@trunkline/contract/roles'
import { SERVICE_ROLES } from '@trunkline/contract/users/api-token.schema'
import { SCOPE_NAMES, TOKEN_SCOPES } from '@trunkline/contract/users/token-scope.rules'
import { useState } from 'react'
import { useLocation } from '@tanstack/react-router'
import { CurrentPassword, FormSelect, FormText } from '../forms/DialogFields.tsx'
import { type Form, useForm } from '../forms/form.hook.ts'
import { FormDialog } from '../forms/FormDialog.tsx'
import { Leaving } from '../forms/leave/Leaving.tsx'
import { sentenceFor } from '../lib/api-error.ts'
import { useRole, useSession } from '../lib/session.ts'
import { useChoices } from '../shared/choices/choices.hook.ts'
import { goToProvider } from '../shared/provider/go-to-provider.ts'
import { PageGuard } from '../shared/page/PageGuard.tsx'
import { GROUPS } from '../shared/choices/group.queries.ts'
import { Button } from '../ui/button/Button.tsx'
import { CopyText } from '../ui/button/CopyText.tsx'
import { ChoiceList } from '../ui/choice/ChoiceList.tsx'
import { ResultDialog } from '../ui/dialog/ResultDialog.tsx'
import { type MadeToken, useMakeToken } from './api-token.actions.ts'
import { checkToken, EMPTY_TOKEN, TOKEN_LABELS, type TokenValues } from './api-token-form.rules.ts'
import * as text from './api-token.messages.ts'
import classes from './ApiTokens.module.css'
import fieldRow from '../ui/field/FieldRow.module.css'

const OWNERS = [
  { value: 'self', label: 'Yourself' },
  { value: 'service', label: 'A service' },
] as const

interface ApiTokenDialogProps {
  /** It is one's own, or a service's. */
  onMade: (owner: TokenValues['owner']) => void
  onClose: () => void
}

export function ApiTokenDialog({ onMade, onClose }: ApiTokenDialogProps) {
  const [made, setMade] = useState<MadeToken | null>(null)
  return made === null ? (
    <TokenForm
      onMade={(token, owner) => {
        setMade(token)
        onMade(owner)
      }}
      onClose={onClose}
    />
  ) : (
    <MadeDialog made={made} onClose={onClose} />
  )
}

interface TokenFormProps {
  onMade: (made: MadeToken, owner: TokenValues['owner']) => void
  onClose: () => void
}

function TokenForm({ onMade, onClose }: TokenFormProps) {
  const make = useMakeToken()
  const mayManage = mayDo(useRole(), 'manageApiTokens')
  const hasPassword = useSession()?.user.isFromProvider !== true
  const form = useForm<TokenValues>({
    initial: EMPTY_TOKEN,
    version: null,
    check: (values) => checkToken(values, hasPassword),
    save: async (values) => onMade(await make(values), values.owner),
    keptAs: ['api-token'],
    labels: TOKEN_LABELS,
    fallback: text.MAKE_FAILED,
  })
  return (
    <FormDialog
      title="New API token"
      width={560}
      form={form}
      saveLabel="Make token"
      isAnswerShownOnce
      onClose={onClose}
    >
      <FormText
        form={form}
        name="title"
        data-autofocus
        hint="Where it is used, such as 'Grafana'."
      />
      {mayManage && <FormSelect form={form} name="owner" choices={OWNERS} />}
      {form.values.owner === 'service' && <ServiceFields form={form} />}
      <div className={fieldRow.pair}>
        <FormSelect
          form={form}
          name="scope"
          choices={TOKEN_SCOPES.map((value) => ({ value, label: SCOPE_NAMES[value] }))}
        />
        <FormText form={form} name="days" inputMode="numeric" hint="1 to 365." />
      </div>
      {hasPassword ? <CurrentPassword form={form} hint={text.WHY_PASSWORD} /> : <FreshSignIn />}
    </FormDialog>
  )
}

/** In place of a password, which people of the provider do not have here. */
function FreshSignIn() {
  const { href } = useLocation()
  const [failure, setFailure] = useState('')
  const go = async () => {
    setFailure('')
    await goToProvider({ from: href, again: true }).catch((error: unknown) =>
      setFailure(sentenceFor(error, text.PROVIDER_FAILED)),
    )
  }
  return (
    <>
      <p className={classes.quiet}>{text.WHY_SIGN_IN}</p>
      <Button size={28} onClick={() => void go()}>
        {text.SIGN_IN_AGAIN}
      </Button>
      <p role="status">{failure}</p>
    </>
  )
}

function ServiceFields({ form }: { form: Form<TokenValues> }) {
  return (
    <>
      <FormSelect
        form={form}
        name="role"
        choices={SERVICE_ROLES.map((value) => ({ value, label: value }))}
      />
      {!isAdminLevel(form.values.role) && <GroupsField form={form} />}
    </>
  )
}

function GroupsField({ form }: { form: Form<TokenValues> }) {
  const { rows, more, onType, isRead } = useChoices(GROUPS, '')
  return (
    <Leaving onLeave={() => form.leave('groupIds')}>
      <ChoiceList
        label={TOKEN_LABELS.groupIds}
        kind="many"
        choices={rows.map(({ _id, title }) => ({ value: _id, label: title }))}
        more={more}
        onType={onType}
        chosen={form.values.groupIds}
        onChange={(next) => form.set({ groupIds: [...next] })}
        error={form.errorOf('groupIds')}
        emptyText={isRead ? 'No groups yet.' : 'Reading groups …'}
      />
    </Leaving>
  )
}

function MadeDialog({ made, onClose }: { made: MadeToken; onClose: () => void }) {
  return (
    <ResultDialog title={text.MADE} subtitle={made.title} isShownOnce onClose={onClose}>
      <PageGuard mayLeave={() => false} />
      <p role="status">{text.SHOWN_ONCE}</p>
      <div className={classes.token}>
        <CopyText text={made.token} label="Copy token" isWhole />
      </div>
      <p className={classes.quiet}>Send it with each call, as this header:</p>
      <div className={classes.token}>
        <CopyText text={text.headerText(made.token)} label="Copy header" isWhole />
      </div>
    </ResultDialog>
  )
}
