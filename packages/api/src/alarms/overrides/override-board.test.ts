import type { OverrideSettings } from '@trunkline/contract/alarms/overrides/override.schema'
import { expect, onTestFinished, test } from 'vitest'
import type { ObjectKey } from '../../fleet/object-key.ts'
import type { Place } from '../../fleet/object-place.ts'
import { OverrideBoard } from './override-board.ts'
import type { StoredOverride } from './override.store.ts'

const NOWHERE: Place = { serverId: '', groupIds: [], ownerId: '' }
const KEEPS = {
  isOff: null,
  severity: null,
  threshold: null,
  raiseAfterSeconds: null,
  clearAfterSeconds: null,
}
const OUTPUT: ObjectKey = { kind: 'output', id: 'output' }

function boardOf(place: Partial<Place>) {
  let asked = 0
  const board = new OverrideBoard({
    placeOf: () => {
      asked += 1
      return { ...NOWHERE, ...place }
    },
  })
  onTestFinished(() => board[Symbol.dispose]())
  return { board, asked: () => asked }
}

function overrideOf(
  covers: StoredOverride['covers'],
  settings: Partial<OverrideSettings>,
): StoredOverride {
  const { kind, id } = covers
  return {
    id: `${kind} ${id}`,
    version: 1,
    createdAt: '',
    covers,
    rule: 'no-peer',
    ...KEEPS,
    ...settings,
  }
}

test('the nearest override wins field by field: own, input, server, group, default', () => {
  const { board } = boardOf({ ownerId: 'input', serverId: 'gateway', groupIds: ['north'] })
  const all = [
    overrideOf({ kind: 'group', id: 'north' }, { severity: 'warning', raiseAfterSeconds: 10 }),
    overrideOf({ kind: 'server', id: 'gateway' }, { raiseAfterSeconds: 20, clearAfterSeconds: 20 }),
    overrideOf({ kind: 'input', id: 'input' }, { clearAfterSeconds: 30, isOff: true }),
    overrideOf(OUTPUT, { isOff: false }),
  ]
  const seen = all.map((_, at) => {
    board.replace(all.slice(0, at + 1))
    const { severity, raiseAfterMs, clearAfterMs, isOff } = board.settingsOf(OUTPUT, 'no-peer')
    return [severity, raiseAfterMs, clearAfterMs, isOff]
  })
  expect(seen).toEqual([
    ['warning', 10_000, 6000, false],
    ['warning', 20_000, 20_000, false],
    ['warning', 20_000, 30_000, true],
    ['warning', 20_000, 30_000, false],
  ])
})

test('what also belongs to another group goes on to call that', () => {
  const { board } = boardOf({ groupIds: ['north', 'south'] })
  const off = (id: string) => overrideOf({ kind: 'group', id }, { isOff: true })
  board.replace([off('north')])
  expect(board.settingsOf(OUTPUT, 'no-peer').isOff).toBe(false)
  board.replace([off('north'), off('south')])
  expect(board.settingsOf(OUTPUT, 'no-peer').isOff).toBe(true)
})

test('asking costs nothing for a rule without overrides, and who listens hears of a change', () => {
  const { board, asked } = boardOf({ groupIds: ['north'] })
  let heard = 0
  board.listen(() => (heard += 1))
  board.replace([])
  board.settingsOf(OUTPUT, 'no-peer')
  board.replace([overrideOf({ kind: 'group', id: 'north' }, { isOff: true })])
  board.settingsOf(OUTPUT, 'slow')
  expect([asked(), heard]).toEqual([0, 1])
})

test('a change says which figures may count otherwise, and only when a threshold is another', () => {
  const { board } = boardOf({})
  const heard: unknown[] = []
  board.listen((changed) => heard.push(changed))
  const loss = { ...overrideOf(OUTPUT, {}), rule: 'losing-packets' as const }
  board.replace([{ ...loss, threshold: 2 }])
  board.replace([{ ...loss, threshold: 0.01 }])
  board.replace([{ ...loss, threshold: 0.01, severity: 'major' }])
  expect(heard).toEqual([
    [{ rule: 'losing-packets', lowest: 0.1, highest: 2 }],
    [{ rule: 'losing-packets', lowest: 0.01, highest: 2 }],
    [],
  ])
})

test('each setting says which override it comes from', () => {
  const { board } = boardOf({ ownerId: 'input', groupIds: ['north', 'south'] })
  board.replace([
    overrideOf({ kind: 'group', id: 'north' }, { severity: 'warning', raiseAfterSeconds: 1 }),
    overrideOf({ kind: 'group', id: 'south' }, { severity: 'critical' }),
    overrideOf({ kind: 'input', id: 'input' }, { clearAfterSeconds: 30 }),
    overrideOf(OUTPUT, { isOff: false }),
  ])
  const { settings, from } = board.tracedOf(OUTPUT, 'no-peer')
  expect(settings).toEqual(board.settingsOf(OUTPUT, 'no-peer'))
  expect(from).toEqual({
    isOff: 'output output',
    severity: 'group south',
    threshold: '',
    raiseAfterMs: 'group north',
    clearAfterMs: 'input input',
  })
})
