/** Rules between the fields of a notification rule. Pure. */
import type { TargetDraft } from './notification.schema.ts'

/** Names of the secrets of each kind of target. */
export const SECRETS = {
  email: ['password'],
  webhook: ['secret'],
  snmp: ['community', 'authPassword', 'privPassword'],
} as const

export interface TargetFault {
  /** Of the target. */
  field: string
  /** Begins with a small letter: the field's label comes before it. */
  sentence: string
}

/** `isSet`: whether a secret is typed, or stored and kept. */
export function targetFaults(
  target: TargetDraft,
  isSet: (secret: string) => boolean,
): TargetFault[] {
  const missing = (field: string, need: string): TargetFault[] =>
    isSet(field) ? [] : [{ field, sentence: `is needed ${need}` }]
  switch (target.kind) {
    case 'email':
      if (target.user === '') return []
      if (target.security === 'none') {
        const sentence = 'must be STARTTLS or TLS: a password is not sent without encryption.'
        return [{ field: 'security', sentence }]
      }
      return missing('password', 'to sign in as this user.')
    case 'webhook':
      return missing('secret', 'to sign messages. Use Generate a secret.')
    case 'snmp':
      return target.version === '2c'
        ? missing('community', 'by SNMP v2c.')
        : snmpUserFaults(target, missing)
  }
}

function snmpUserFaults(
  { user, level }: Extract<TargetDraft, { kind: 'snmp' }>,
  missing: (field: string, need: string) => TargetFault[],
): TargetFault[] {
  return [
    ...(user === '' ? [{ field: 'user', sentence: 'is needed by SNMP v3.' }] : []),
    ...(level === 'noAuthNoPriv' ? [] : missing('authPassword', 'to authenticate.')),
    ...(level === 'authPriv' ? missing('privPassword', 'to encrypt.') : []),
  ]
}

/** Whether stored secrets go on with a changed target: they are not sent to another machine. */
export function keepsSecrets(before: TargetDraft, after: TargetDraft): boolean {
  if (before.kind === 'email' && after.kind === 'email') {
    return before.host === after.host && before.port === after.port
  }
  if (before.kind === 'snmp' && after.kind === 'snmp') {
    return before.host === after.host && before.port === after.port
  }
  // A signature does not disclose its key.
  return before.kind === after.kind
}
