import { expect, test } from 'vitest'
import { UnmadeMinutes } from './unmade-minutes.ts'

function written(unmade: UnmadeMinutes, programId: string, ...stepsS: number[]): void {
  for (const atS of stepsS) unmade.add({ programId, atS })
}

test('minutes are made once of steps that follow each other, by some hundred programs', () => {
  const unmade = new UnmadeMinutes()
  for (let at = 0; at < 250; at += 1) written(unmade, `output-${1000 + at}`, 600, 650)
  const parts = unmade.partsUpTo(660)
  expect(parts.map(({ programIds }) => programIds.length)).toEqual([200, 50])
  for (const { programIds } of parts) unmade.made(programIds, 660)
  expect(unmade.partsUpTo(660)).toEqual([])
  written(unmade, 'output-1003', 660, 720)
  expect(unmade.partsUpTo(660)).toEqual([])
  expect(unmade.partsUpTo(720)).toEqual([{ programIds: ['output-1003'], fromS: 660 }])
  unmade.made(['output-1003'], 720)
  expect(unmade.partsUpTo(780)).toEqual([{ programIds: ['output-1003'], fromS: 720 }])
})

test('a step that comes late has its minute made again', () => {
  const unmade = new UnmadeMinutes()
  written(unmade, 'input-a', 600)
  unmade.made(['input-a'], 660)
  written(unmade, 'input-a', 660, 610)
  expect(unmade.partsUpTo(720)).toEqual([{ programIds: ['input-a'], fromS: 600 }])
})

test('of a program that is new here the minutes before are made as well', () => {
  const unmade = new UnmadeMinutes()
  written(unmade, 'input-a', 610)
  expect(unmade.partsUpTo(660)).toEqual([{ programIds: ['input-a'], fromS: 480 }])
  unmade.made(['input-a'], 660)
  // With another process for an hour.
  written(unmade, 'input-a', 4210)
  expect(unmade.partsUpTo(4260)).toEqual([{ programIds: ['input-a'], fromS: 4080 }])
})
