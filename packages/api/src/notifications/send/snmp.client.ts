/** Sends a message as SNMP traps or informs, one for each alarm, as TRUNKLINE-MIB describes them. */
import type { TargetDraft } from '@trunkline/contract/notifications/notification.schema'
import snmp, { type Session, type User, type Varbind } from 'net-snmp'
import type { Config } from '../../config.ts'
import { allowedAddressOf } from '../../security/host-guard.ts'
import { type AlarmNote, type NotificationMessage, translatedNotes } from '../message.rules.ts'
import { connectionFault, DeliveryFault } from './delivery-fault.ts'
import type { Sent } from './send.ts'
import { MIB, SEVERITY_NUMBERS } from './snmp-mib.ts'

type SnmpTarget = Extract<TargetDraft, { kind: 'snmp' }>

interface How {
  config: Pick<Config, 'allowLocalHosts'>
  signal: AbortSignal
  /** Hexadecimal. */
  engineId: string
}

/** RFC 3411: an SnmpAdminString has at most 255 bytes. */
const TEXT_BYTES = 255
/** An inform is sent again after that, so often. */
const ANSWER_LIMIT_MS = 2000
const INFORM_RETRIES = 2

interface Trap {
  oid: string
  varbinds: Varbind[]
}

/** @returns what is known of it: a trap has no answer; throws a DeliveryFault */
export async function sendSnmp(target: SnmpTarget, sent: Sent, how: How): Promise<string> {
  const where = `${target.host}:${target.port}`
  const address = await allowedAddressOf(how.config, target.host)
  how.signal.throwIfAborted()
  const session = openSession(target, address, how.engineId)
  const aborted = Promise.withResolvers<never>()
  aborted.promise.catch(() => undefined)
  const abort = () => aborted.reject(new Error('Aborted.'))
  how.signal.addEventListener('abort', abort)
  session.on('error', (error) => aborted.reject(error))
  const traps = trapsOf(sent)
  try {
    for (const trap of traps) {
      await Promise.race([sendTrap(session, target, trap), aborted.promise])
    }
    const count = `${traps.length} ${target.type}${traps.length === 1 ? '' : 's'}`
    return target.type === 'inform'
      ? `${where} acknowledged ${count}.`
      : `${count} sent to ${where}. Traps are not acknowledged: use inform to know that they arrive.`
  } catch (error) {
    how.signal.throwIfAborted()
    throw faultOf(error, where)
  } finally {
    how.signal.removeEventListener('abort', abort)
    session.close()
  }
}

async function sendTrap(session: Session, { type }: SnmpTarget, { oid, varbinds }: Trap) {
  return new Promise<void>((resolve, reject) => {
    const done = (error: Error | null) => (error === null ? resolve() : reject(error))
    if (type === 'inform') session.inform(oid, varbinds, done)
    else session.trap(oid, varbinds, done)
  })
}

function openSession(target: SnmpTarget, address: string, engineId: string): Session {
  const options = {
    trapPort: target.port,
    port: target.port,
    timeout: ANSWER_LIMIT_MS,
    retries: INFORM_RETRIES,
    transport: address.includes(':') ? ('udp6' as const) : ('udp4' as const),
  }
  if (target.version === '2c') {
    return snmp.createSession(address, target.community, { ...options, version: snmp.Version2c })
  }
  return snmp.createV3Session(address, userOf(target), {
    ...options,
    version: snmp.Version3,
    // Of informs the receiver is the authority, and its engine is asked for.
    engineID: engineId,
  })
}

function userOf({ user, level, authProtocol, authPassword, privPassword }: SnmpTarget): User {
  return {
    name: user,
    level: snmp.SecurityLevel[level],
    ...(level === 'noAuthNoPriv'
      ? {}
      : { authProtocol: snmp.AuthProtocols[authProtocol], authKey: authPassword }),
    ...(level === 'authPriv'
      ? { privProtocol: snmp.PrivProtocols.aes, privKey: privPassword }
      : {}),
  }
}

function faultOf(error: unknown, where: string): Error {
  const known = connectionFault(error, where)
  if (known !== null) return known
  if (error instanceof Error && error.name === 'RequestTimedOutError') {
    return new DeliveryFault(
      `${where} does not acknowledge. Check the host, the port, the firewall, and the community or user.`,
    )
  }
  const reason = error instanceof Error ? error.message : String(error)
  return new DeliveryFault(`${where}: ${reason}. Check the community or user, and the passwords.`)
}

function trapsOf({ id, message }: Sent): Trap[] {
  const { omitted, isTest } = message
  const { raised, reminders, cleared } = translatedNotes(message)
  const common = [textBind(MIB.deliveryId, id), textBind(MIB.notificationRule, message.ruleTitle)]
  if (isTest) return [{ oid: MIB.test, varbinds: common }]
  const of = (oid: string, notes: readonly AlarmNote[]) =>
    notes.map((note) => ({ oid, varbinds: [...common, ...bindsOf(note)] }))
  return [
    ...of(MIB.alarmRaised, raised),
    ...of(MIB.alarmReminder, reminders),
    ...of(MIB.alarmCleared, cleared),
    ...omittedTrap(omitted, common),
  ]
}

function omittedTrap(omitted: NotificationMessage['omitted'], common: Varbind[]): Trap[] {
  const count = omitted.raised + omitted.reminders + omitted.cleared
  return count === 0
    ? []
    : [{ oid: MIB.alarmsOmitted, varbinds: [...common, gaugeBind(MIB.alarmCount, count)] }]
}

function bindsOf(note: AlarmNote): Varbind[] {
  return [
    textBind(MIB.alarmId, note.alarmId),
    {
      oid: MIB.alarmSeverity,
      type: snmp.ObjectType.Integer,
      value: SEVERITY_NUMBERS[note.severity],
    },
    textBind(MIB.alarmRule, note.rule),
    textBind(MIB.alarmObjectKind, note.objectKind),
    textBind(MIB.alarmObjectId, note.objectId),
    textBind(MIB.alarmObjectTitle, note.title),
    textBind(MIB.alarmText, note.sentence),
    textBind(MIB.alarmRaisedAt, note.raisedAt),
    gaugeBind(MIB.alarmCount, note.behind),
  ]
}

function gaugeBind(oid: string, value: number): Varbind {
  return { oid, type: snmp.ObjectType.Gauge, value }
}

/** Cut between characters. */
function textBind(oid: string, text: string): Varbind {
  const cut = Buffer.from(text).subarray(0, TEXT_BYTES).toString('utf8')
  // A character that was cut through.
  const value = cut.replace(/\ufffd$/, '')
  return { oid, type: snmp.ObjectType.OctetString, value }
}
