import { expect, onTestFinished, test, vi } from 'vitest'
import type { ObjectKey } from '../../fleet/object-key.ts'
import type { Place } from '../../fleet/object-place.ts'
import { MaintenanceBoard } from './maintenance-board.ts'
import type { StoredWindow } from './maintenance.store.ts'

const NOWHERE: Place = { serverId: '', groupIds: [], ownerId: '' }
const START_MS = Date.parse('2026-11-20T02:00:00Z')

function boardOf(places: Readonly<Record<string, Partial<Place>>>) {
  vi.useFakeTimers({ now: START_MS })
  onTestFinished(() => void vi.useRealTimers())
  const board = new MaintenanceBoard({
    clock: Date.now,
    placeOf: ({ id }) => ({ ...NOWHERE, ...places[id] }),
  })
  onTestFinished(() => board[Symbol.dispose]())
  return board
}

function windowOver(
  covers: StoredWindow['covers'],
  from = '2026-11-20T01:00:00Z',
  until = '2026-11-20T03:00:00Z',
): StoredWindow {
  const times = { repeats: 'once' as const, from, until }
  return { id: covers.id, version: 1, createdAt: '', title: 'Firmware', covers, times }
}

function covered(board: MaintenanceBoard, objects: readonly ObjectKey[]): string[] {
  return objects.filter((object) => board.untilMs(object) !== null).map(({ id }) => id)
}

test('a server covers what runs on it, an encoder its feeders, an input its outputs', () => {
  const board = boardOf({
    gateway: { serverId: 'gateway' },
    input: { serverId: 'gateway' },
    output: { serverId: 'other', ownerId: 'input' },
    feeder: { serverId: 'other', ownerId: 'camera' },
  })
  const objects: ObjectKey[] = [
    { kind: 'server', id: 'gateway' },
    { kind: 'input', id: 'input' },
    { kind: 'output', id: 'output' },
    { kind: 'encoder', id: 'camera' },
    { kind: 'feeder', id: 'feeder' },
  ]
  expect(covered(board, objects)).toEqual([])
  board.replace([windowOver({ kind: 'server', id: 'gateway' })])
  expect(covered(board, objects)).toEqual(['gateway', 'input'])
  board.replace([windowOver({ kind: 'encoder', id: 'camera' })])
  expect(covered(board, objects)).toEqual(['camera', 'feeder'])
  board.replace([windowOver({ kind: 'input', id: 'input' })])
  expect(covered(board, objects)).toEqual(['input', 'output'])
})

test('what belongs to two groups is covered when both are, until the first ends', () => {
  const board = boardOf({ shared: { groupIds: ['north', 'south'] }, own: { groupIds: ['north'] } })
  const objects: ObjectKey[] = [
    { kind: 'server', id: 'shared' },
    { kind: 'channel', id: 'own' },
  ]
  const north = windowOver({ kind: 'group', id: 'north' })
  board.replace([north])
  expect(covered(board, objects)).toEqual(['own'])
  const until = '2026-11-20T02:30:00Z'
  board.replace([north, windowOver({ kind: 'group', id: 'south' }, '2026-11-20T01:00:00Z', until)])
  expect(covered(board, objects)).toEqual(['shared', 'own'])
  expect(board.untilMs({ kind: 'server', id: 'shared' })).toBe(Date.parse(until))
})

test('a window begins and ends by itself, and who listens hears of both', async () => {
  const board = boardOf({})
  const camera: ObjectKey = { kind: 'encoder', id: 'camera' }
  const heard: boolean[] = []
  board.listen(() => heard.push(board.untilMs(camera) !== null))
  board.replace([windowOver(camera, '2026-11-20T02:10:00Z', '2026-11-20T02:20:00Z')])
  expect(heard).toEqual([])
  await vi.advanceTimersByTimeAsync(11 * 60_000)
  expect(heard).toEqual([true])
  await vi.advanceTimersByTimeAsync(10 * 60_000)
  expect(heard).toEqual([true, false])
})
