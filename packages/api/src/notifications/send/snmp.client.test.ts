/** Traps and informs to Debian's snmptrapd, which names what it gets by our MIB. */
import { spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test, vi } from 'vitest'
import { makeFolder } from '../../testing/folder.ts'
import { messageOf, testMessage, type AlarmNote } from '../message.rules.ts'
import { sendSnmp } from './snmp.client.ts'

const MIB_FOLDER = fileURLToPath(new URL('../../../../console/public', import.meta.url))
/** The IETF's modules that ours imports: Debian does not carry them, net-snmp does. */
const BASE_MIBS = join(dirname(createRequire(import.meta.url).resolve('net-snmp')), 'lib/mibs')
const ENGINE_ID = '80001f88050102030405060708'
const HOW = {
  config: { allowLocalHosts: true },
  signal: new AbortController().signal,
  engineId: ENGINE_ID,
}
const TARGET = {
  kind: 'snmp' as const,
  host: '127.0.0.1',
  version: '2c' as const,
  type: 'trap' as const,
  community: 'control-room',
  user: 'trunkline',
  level: 'authPriv' as const,
  authProtocol: 'sha' as const,
  authPassword: 'authentication-1',
  privPassword: 'encryption-phrase-1',
}
const RULE = { title: 'Night shift', language: 'en' } as const
const NOTE: AlarmNote = {
  alarmId: 'alarm1',
  objectKind: 'encoder',
  objectId: 'encoder1',
  title: 'Caméra "Süd"',
  rule: 'program-down',
  severity: 'critical',
  sentence: 'Not running although it should be. Start it, or read its log.',
  raisedAt: '2026-11-27T03:00:00.000Z',
  clearedAt: null,
  behind: 300,
}
const LONG_MS = 30_000

async function freePort(): Promise<number> {
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const { port } = socket.address()
  socket.close()
  await once(socket, 'close')
  return port
}

/** Its end is awaited when the test ends. `users`: lines of its configuration. */
async function openSnmptrapd(users: readonly string[]) {
  const folder = await makeFolder()
  onTestFinished(async () => folder[Symbol.asyncDispose]())
  const port = await freePort()
  const config = join(folder.path, 'snmptrapd.conf')
  await writeFile(config, [...users, 'authCommunity log control-room', ''].join('\n'))
  const mibs = ['-M', `+${MIB_FOLDER}:${BASE_MIBS}`, '-m', '+TRUNKLINE-MIB']
  const args = ['-f', '-Le', '-n', '-C', '-c', config, ...mibs, '-OQ']
  const child = spawn('/usr/sbin/snmptrapd', [...args, `udp:127.0.0.1:${port}`], {
    env: { SNMP_PERSISTENT_DIR: folder.path },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (part: Buffer) => (output += part.toString('utf8')))
  child.stderr.on('data', (part: Buffer) => (output += part.toString('utf8')))
  const ended = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await ended
  })
  const shows = async (...parts: readonly string[]) =>
    vi.waitFor(() => expect(parts.filter((part) => !output.includes(part))).toEqual([]), LONG_MS)
  await shows('NET-SNMP version')
  return { port, shows, output: () => output }
}

test('snmptrapd names an SNMP v2c trap and its values by the MIB', async () => {
  const receiver = await openSnmptrapd([])
  const sorts = { raised: [NOTE], reminders: [], cleared: [] }
  const sent = { id: 'delivery1', message: messageOf(RULE, 0, sorts) }
  const answer = await sendSnmp({ ...TARGET, port: receiver.port }, sent, HOW)
  expect(answer).toContain('Traps are not acknowledged')
  await receiver.shows(
    'TRUNKLINE-MIB::tlAlarmRaised',
    'TRUNKLINE-MIB::tlDeliveryId.0 = delivery1',
    'TRUNKLINE-MIB::tlAlarmSeverity.0 = critical',
    'TRUNKLINE-MIB::tlAlarmRule.0 = program-down',
    'TRUNKLINE-MIB::tlAlarmText.0 = Not running although',
    'TRUNKLINE-MIB::tlAlarmCount.0 = 300',
  )
  expect(receiver.output()).not.toMatch(/TRUNKLINE-MIB\.txt\)/)
})

test('design 9 the text of a trap is in the language of the rule, its values stay', async () => {
  const receiver = await openSnmptrapd([])
  const rule = { title: 'Nuit', language: 'fr' } as const
  const message = messageOf(rule, 0, { raised: [NOTE], reminders: [], cleared: [] })
  const sent = { id: 'delivery1', message }
  expect(await sendSnmp({ ...TARGET, port: receiver.port }, sent, HOW)).toContain('1 trap sent')
  await receiver.shows(
    'TRUNKLINE-MIB::tlAlarmSeverity.0 = critical',
    'TRUNKLINE-MIB::tlAlarmRule.0 = program-down',
    "TRUNKLINE-MIB::tlAlarmText.0 = Pas en marche alors qu'il le faudrait. Démarrez",
    'TRUNKLINE-MIB::tlAlarmRaisedAt.0 = 2026-11-27T03:00:00.000Z',
  )
})

test('all notifications of the MIB are those that are sent', async () => {
  const receiver = await openSnmptrapd([])
  const many = Array.from({ length: 25 }, (_, at) => ({ ...NOTE, alarmId: `alarm${at}` }))
  const sorts = { raised: many, reminders: [NOTE], cleared: [NOTE] }
  const message = messageOf(RULE, 0, sorts)
  await sendSnmp({ ...TARGET, type: 'inform', port: receiver.port }, { id: 'd1', message }, HOW)
  const test = { id: 'd2', message: testMessage(RULE, 0) }
  await sendSnmp({ ...TARGET, type: 'inform', port: receiver.port }, test, HOW)
  await receiver.shows(
    'tlAlarmRaised',
    'tlAlarmReminder',
    'tlAlarmCleared',
    'tlAlarmsOmitted',
    'tlTest',
    'tlAlarmCount.0 = 5',
  )
  expect(receiver.output().match(/::tlAlarmRaised\b/g)).toHaveLength(20)
})

test.each(['sha', 'sha256', 'sha512'] as const)(
  'SNMP v3 traps are authenticated by %s and encrypted by AES',
  async (authProtocol) => {
    const name = { sha: 'SHA', sha256: 'SHA-256', sha512: 'SHA-512' }[authProtocol]
    const { authPassword, privPassword } = TARGET
    const keys = `${name} "${authPassword}" AES "${privPassword}"`
    const receiver = await openSnmptrapd([
      `createUser -e 0x${ENGINE_ID} trunkline ${keys}`,
      'authUser log trunkline priv',
    ])
    const target = { ...TARGET, version: '3' as const, authProtocol, port: receiver.port }
    // A second session is the same engine: the receiver takes its message as well.
    for (const id of ['delivery1', 'delivery2']) {
      const answer = await sendSnmp(target, { id, message: testMessage(RULE, 0) }, HOW)
      expect(answer).toContain('1 trap sent')
      await receiver.shows('TRUNKLINE-MIB::tlTest', `tlDeliveryId.0 = ${id}`)
    }
  },
)

test('an inform is acknowledged; without an answer, or with a wrong password, it fails', async () => {
  const { authPassword, privPassword } = TARGET
  const receiver = await openSnmptrapd([
    `createUser trunkline SHA "${authPassword}" AES "${privPassword}"`,
    'authUser log trunkline priv',
  ])
  const sent = { id: 'delivery1', message: testMessage(RULE, 0) }
  const inform = { ...TARGET, type: 'inform' as const, port: receiver.port }
  const v3 = { ...inform, version: '3' as const }
  const acknowledged = `127.0.0.1:${receiver.port} acknowledged 1 inform.`
  expect(await sendSnmp(inform, sent, HOW)).toBe(acknowledged)
  expect(await sendSnmp(v3, sent, HOW)).toBe(acknowledged)
  const wrong = sendSnmp({ ...v3, authPassword: 'not-the-password' }, sent, HOW)
  await expect(wrong).rejects.toThrow('Check the community or user, and the passwords.')
  const silent = sendSnmp({ ...inform, port: await freePort() }, sent, HOW)
  await expect(silent).rejects.toThrow('does not acknowledge. Check the host')
})
