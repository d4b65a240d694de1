/** Where a notification rule sends to: the fields of an SMTP server, a webhook or an SNMP receiver. */
import type { NotificationRule } from '@trunkline/contract/notifications/notification.schema'
import { FormArea, FormSecret, FormSelect, FormText } from '../forms/DialogFields.tsx'
import type { Form } from '../forms/form.hook.ts'
import { Button } from '../ui/button/Button.tsx'
import { CopyText } from '../ui/button/CopyText.tsx'
import { newWebhookSecret, type RuleValues } from './notification-form.rules.ts'
import * as text from './notification.messages.ts'
import classes from './NotificationsPage.module.css'
import fieldRow from '../ui/field/FieldRow.module.css'

interface TargetFieldsProps {
  form: Form<RuleValues>
  /** With the secrets that it has; null for a new rule. */
  rule: NotificationRule | null
  snmpEngineId: string
}

export function TargetFields(props: TargetFieldsProps) {
  switch (props.form.values.kind) {
    case 'email':
      return <EmailFields {...props} />
    case 'webhook':
      return <WebhookFields {...props} />
    case 'snmp':
      return <SnmpFields {...props} />
  }
}

function hintOf(rule: NotificationRule | null, secret: string): string {
  const isStored = rule !== null && Reflect.get(rule.target, `${secret}Set`) === true
  return isStored ? text.SECRET_STORED : text.SECRET_NEW
}

const SECURITIES = [
  { value: 'starttls', label: 'STARTTLS' },
  { value: 'tls', label: 'TLS' },
  { value: 'none', label: 'None' },
] as const
const SMTP_PORTS: Readonly<Record<string, string>> = { starttls: '587', tls: '465', none: '25' }

function EmailFields({ form, rule }: TargetFieldsProps) {
  const { security, port, user } = form.values
  return (
    <>
      <div className={fieldRow.address}>
        <FormText form={form} name="host" hint="SMTP server" spellCheck={false} />
        <FormText form={form} name="port" inputMode="numeric" />
      </div>
      <FormSelect
        form={form}
        name="security"
        choices={SECURITIES}
        onChange={(next: string) => {
          const isUsual = port === SMTP_PORTS[security]
          form.set({ security: next, ...(isUsual ? { port: SMTP_PORTS[next] ?? port } : {}) })
        }}
      />
      <FormText
        form={form}
        name="user"
        hint="Leave empty if the server needs no sign-in."
        spellCheck={false}
      />
      {user !== '' && (
        <FormSecret
          form={form}
          name="password"
          secret={text.PASSWORD}
          hint={hintOf(rule, 'password')}
        />
      )}
      <FormText form={form} name="from" hint="Sender address" spellCheck={false} />
      <FormArea form={form} name="to" rows={2} hint="Addresses with commas between them" />
    </>
  )
}

function WebhookFields({ form, rule }: TargetFieldsProps) {
  const { secret } = form.values
  const hint = hintOf(rule, 'secret')
  return (
    <>
      <FormText form={form} name="url" hint="https://…" spellCheck={false} />
      <FormSecret
        form={form}
        name="secret"
        secret="secret"
        hint={hint === text.SECRET_NEW ? text.WEBHOOK_SECRET_NEW : hint}
      />
      <div className={classes.generate}>
        <Button size={28} onClick={() => form.set({ secret: newWebhookSecret() })}>
          Generate a secret
        </Button>
        {secret !== '' && <CopyText text={secret} shown="••••••" label="secret" />}
      </div>
      <p className={classes.note}>Signed as Standard Webhooks specifies.</p>
    </>
  )
}

const VERSIONS = [
  { value: '2c', label: 'v2c' },
  { value: '3', label: 'v3' },
] as const
const TYPES = [
  { value: 'trap', label: 'Trap' },
  { value: 'inform', label: 'Inform (acknowledged)' },
] as const
const LEVELS = [
  { value: 'authPriv', label: 'Authenticate and encrypt' },
  { value: 'authNoPriv', label: 'Authenticate' },
  { value: 'noAuthNoPriv', label: 'Neither' },
] as const
const AUTH_PROTOCOLS = [
  { value: 'sha', label: 'SHA-1' },
  { value: 'sha256', label: 'SHA-256' },
  { value: 'sha512', label: 'SHA-512' },
] as const

function SnmpFields({ form, rule, snmpEngineId }: TargetFieldsProps) {
  return (
    <>
      <div className={fieldRow.address}>
        <FormText form={form} name="host" hint="SNMP manager" spellCheck={false} />
        <FormText form={form} name="port" inputMode="numeric" />
      </div>
      <div className={classes.pair}>
        <FormSelect form={form} name="version" choices={VERSIONS} />
        <FormSelect form={form} name="type" choices={TYPES} />
      </div>
      {form.values.version === '2c' ? (
        <FormSecret
          form={form}
          name="community"
          secret={text.COMMUNITY}
          hint={hintOf(rule, 'community')}
        />
      ) : (
        <SnmpUserFields form={form} rule={rule} snmpEngineId={snmpEngineId} />
      )}
    </>
  )
}

function SnmpUserFields({ form, rule, snmpEngineId }: TargetFieldsProps) {
  const { level, type } = form.values
  return (
    <>
      <FormText form={form} name="user" spellCheck={false} />
      <FormSelect form={form} name="level" choices={LEVELS} />
      {level !== 'noAuthNoPriv' && (
        <>
          <FormSelect form={form} name="authProtocol" choices={AUTH_PROTOCOLS} />
          <FormSecret
            form={form}
            name="authPassword"
            secret={text.PASSWORD}
            hint={hintOf(rule, 'authPassword')}
          />
        </>
      )}
      {level === 'authPriv' && (
        <FormSecret
          form={form}
          name="privPassword"
          secret={text.PASSWORD}
          hint={hintOf(rule, 'privPassword')}
        />
      )}
      {type === 'trap' && <p className={classes.note}>{text.engineIdHint(snmpEngineId)}</p>}
    </>
  )
}
