import { expect, test } from 'vitest'
import { InputDraft } from './input.schema.ts'
import { inputFaults, outputFaults } from './link.rules.ts'
import { OutputDraft } from './output.schema.ts'

const FAR_END = { host: '192.0.2.7', port: 6000 }

function inputFields(profile: number, mode: string): string[] {
  const config = { ...FAR_END, profile, mode }
  const draft = InputDraft.parse({
    title: 'In',
    inputType: 'RIST',
    serverId: 's',
    groupId: 'g',
    config,
  })
  return inputFaults(draft).map(({ field }) => field)
}

function outputFields(profile: number, mode: string): string[] {
  const config = { ...FAR_END, profile, mode }
  const draft = OutputDraft.parse({ title: 'Out', inputType: 'RIST', contributionId: 'i', config })
  return outputFaults(draft).map(({ field }) => field)
}

test('IN-FORM-09 OUT-FORM-08 the sender of RIST Simple calls and its receiver waits: the other way is refused at the mode', () => {
  expect(inputFields(1, 'Push')).toEqual(['config.mode'])
  expect(outputFields(1, 'Listen')).toEqual(['config.mode'])
  expect([inputFields(1, 'Listen'), outputFields(1, 'Push')]).toEqual([[], []])
  for (const mode of ['Listen', 'Push']) {
    expect([inputFields(2, mode), outputFields(2, mode)]).toEqual([[], []])
  }
})

test('rules skip invalid fields and check the rest', () => {
  const inputType = 'RIST' as const
  expect(inputFaults({ inputType, config: {} })).toEqual([])
  expect(outputFaults({ inputType, config: { mode: 'Push', profile: 1 } })).toEqual([])
  const found = inputFaults({ inputType, config: { mode: 'Push', host: '', profile: 1 } })
  expect(found.map(({ field }) => field)).toEqual(['config.host', 'config.mode'])
})
