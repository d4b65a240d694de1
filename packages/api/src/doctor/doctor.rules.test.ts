/** What is said of the API and of hosts, for each thing that may be found. */
import { DAY_MS } from '@trunkline/contract/durations'
import { expect, test } from 'vitest'
import {
  databaseFinding,
  diskFinding,
  folderFinding,
  portFinding,
  secretFinding,
} from './api.rules.ts'
import { hostFindings, type HostAnswer } from './host.rules.ts'

const FINE = { state: 'fine', mode: 0o100600 } as const
const CLOSED = { state: 'closed', reason: 'EACCES' } as const
const MISSING = { state: 'missing' } as const
const KEY = '/var/lib/trunkline/data.key'

test.each([
  [FINE, 'ok'],
  [MISSING, 'note'],
  [CLOSED, 'wrong'],
])('a data folder that is %j: %s', (seen, level) => {
  expect(folderFinding('/var/lib/trunkline/data', seen).level).toBe(level)
})

test('a secret file that others may read is wrong, with the command that closes it', () => {
  expect(secretFinding(KEY, FINE, true).level).toBe('ok')
  const open = secretFinding(KEY, { state: 'fine', mode: 0o100644 }, true)
  expect(open).toMatchObject({ level: 'wrong', fix: `chmod 600 ${KEY}` })
  expect(open.sentence).toContain('mode 644')
})

test('a missing secret file is wrong once there is a database', () => {
  expect(secretFinding(KEY, MISSING, true).level).toBe('wrong')
  expect(secretFinding(KEY, MISSING, false).level).toBe('note')
  expect(secretFinding(KEY, CLOSED, true).fix).toContain('chown trunkline:')
})

test('a disk below the threshold is wrong', () => {
  const sizes = (freeBytes: number) => ({ freeBytes, totalBytes: 100e9 })
  expect(diskFinding('/var/lib/trunkline', sizes(50e9), 5).level).toBe('ok')
  const low = diskFinding('/var/lib/trunkline', sizes(4e9), 5)
  expect(low.sentence).toBe('The disk of /var/lib/trunkline is nearly full: 4.0 of 100.0 GB free.')
})

test.each([
  ['api', 'ok', ''],
  ['another program', 'wrong', 'ss -tlnp sport = :8080'],
  ['nobody', 'wrong', 'systemctl start trunkline'],
] as const)('%s at the port of the API: %s', (answer, level, fix) => {
  const found = portFinding('127.0.0.1:8080', answer)
  expect(found.level).toBe(level)
  expect(found.fix).toContain(fix)
})

test.each([
  ['present', 'ok'],
  ['empty', 'note'],
  ['older', 'note'],
  ['newer', 'wrong'],
] as const)('a database whose schema is %s: %s', (age, level) => {
  const known = { place: 'SQLite', present: '0025-b', schema: age === 'empty' ? null : '0024-a' }
  expect(databaseFinding({ ...known, age }).level).toBe(level)
})

const WELL = { answers: true, version: '1.0.0', aheadMs: 0, certificateEndsAtMs: null } as const

function found(answer: HostAnswer) {
  return hostFindings([{ at: 'gw1:8010', answer }], '1.0.0', 0)
}

test('a host that is well is counted, and named no further', () => {
  expect(found(WELL)).toEqual([{ level: 'ok', sentence: '1 of 1 hosts answer.', fix: '' }])
  expect(found({ ...WELL, certificateEndsAtMs: 30 * DAY_MS })).toHaveLength(1)
  expect(hostFindings([], '1.0.0', 0)[0]?.level).toBe('note')
})

test.each<[string, HostAnswer, string, RegExp]>([
  [
    'silent',
    { answers: false, sentence: 'It does not answer.', fix: 'Look' },
    'wrong',
    /does not answer/,
  ],
  ['revoked', 'revoked', 'note', /was revoked/],
  ['not dialled', 'not dialled', 'note', /connects to the API by itself/],
  ['late', { ...WELL, aheadMs: -90_000 }, 'wrong', /host gw1:8010 is 90 s behind/],
  ['outdated', { ...WELL, version: '0.9.0' }, 'note', /version 0\.9\.0, and this is 1\.0\.0/],
  ['ending', { ...WELL, certificateEndsAtMs: 2 * DAY_MS }, 'wrong', /ends on 1970-01-03/],
])('a host that is %s is named, with what to do', (_, answer, level, sentence) => {
  const [, finding] = found(answer)
  expect(finding?.level).toBe(level)
  expect(finding?.sentence).toMatch(sentence)
  expect(finding?.fix).not.toBe('')
})

test('a site that is down has a line for 50 hosts, and the number of the others', () => {
  const answer: HostAnswer = { answers: false, sentence: 'It does not answer.', fix: 'Look' }
  const hosts = Array.from({ length: 10_000 }, (_, at) => ({ at: `gw${at}:8010`, answer }))
  const lines = hostFindings(hosts, '1.0.0', 0)
  expect(lines).toHaveLength(52)
  expect(lines[0]?.sentence).toBe('0 of 10000 hosts answer.')
  expect(lines.at(-1)?.sentence).toBe('9950 more findings about hosts are not shown.')
})
