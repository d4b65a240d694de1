/** The pages of lists that the benches of lists ask for, and who asks. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startOwnProcess, type OwnProcess } from '@trunkline/testbed/child'
import { repositoryRoot } from '@trunkline/testbed/repository'
import { closedBySignals } from '../kit/ending.ts'
import { load, type Asked } from '../kit/http-load.ts'
import { cpuSecondsOf } from '../kit/figure.ts'

export const ROWS = 12
const CONNECTIONS = 16

export type ListName = 'encoders' | 'inputs' | 'outputs' | 'channels' | 'users' | 'audit'
export const LIST_NAMES: readonly ListName[] = [
  'encoders',
  'inputs',
  'outputs',
  'channels',
  'users',
  'audit',
]

const SEARCH_NAMES = { users: 'searchText', audit: 'searchText' } as const

export interface Page {
  page: number
  group?: string
  search?: string
}

export function askFor(
  list: ListName,
  token: string,
  { page, group = '', search = '' }: Page,
): Asked {
  const headers = { authorization: `Bearer ${token}` }
  const searchName = list === 'users' || list === 'audit' ? SEARCH_NAMES[list] : 'searchValue'
  const wanted: Record<string, string | number> = { page, rowsPerPage: ROWS }
  if (group !== '') wanted['groupId'] = group
  if (search !== '') wanted[searchName] = search
  if (list === 'channels') {
    const body = JSON.stringify(wanted)
    return { method: 'POST', path: '/api/channel/get_channels', headers, body }
  }
  const path = {
    encoders: '/api/encoder',
    inputs: '/api/contribution',
    outputs: '/api/contribution/outputs/list-outputs',
    users: '/api/users/getUsers',
    audit: '/api/audit',
  }[list]
  const query = new URLSearchParams(
    Object.entries(wanted).map(([name, value]): [string, string] => [name, String(value)]),
  )
  return { method: 'GET', path: `${path}?${query.toString()}`, headers }
}

/** What it answers now. Throws on any answer but 200. */
export async function bodyOf(port: number, asked: Asked): Promise<string> {
  const { method, path, headers = {}, body = '' } = asked
  const json = body === '' ? {} : { 'content-type': 'application/json' }
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { ...headers, ...json, 'accept-encoding': 'identity' },
    ...(body === '' ? {} : { body }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text.slice(0, 300)}`)
  return text
}

/** Fastify alone: path '/0' answers the first of these, and so on. */
export async function startBare(folder: string, bodies: readonly string[]): Promise<OwnProcess> {
  const file = join(folder, `bodies-${bodies.length}.json`)
  writeFileSync(file, JSON.stringify(bodies))
  const starting = startOwnProcess({
    name: 'The bare server',
    node: process.execPath,
    args: [join(repositoryRoot(), 'bench/lists/bare-server.ts'), file],
    env: { PATH: process.env['PATH'] ?? '' },
    onOutput: (text) => process.stderr.write(text),
  })
  closedBySignals(async () => starting.then(async (bare) => bare.stop()))
  return starting
}

export interface Cost {
  cpuUs: number
  perSecond: number
  p99Ms: number
}

/** What one call costs this process, asked for so long by 16 connections. */
export async function costOf(
  { pid, port }: Pick<OwnProcess, 'pid' | 'port'>,
  asked: readonly Asked[],
  durationMs: number,
): Promise<Cost> {
  const before = cpuSecondsOf(pid)
  const { requests, seconds, latenciesMs } = await load(port, asked, {
    connections: CONNECTIONS,
    durationMs,
  })
  const cpuUs = ((cpuSecondsOf(pid) - before) * 1e6) / requests
  const sorted = latenciesMs.toSorted((a, b) => a - b)
  const p99Ms = sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN
  return { cpuUs, perSecond: requests / seconds, p99Ms }
}
