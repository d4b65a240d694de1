/** Which ports the outer leg may have. */
import { expect, test } from 'vitest'
import { Leg } from '../agent/program.messages.ts'
import { InputDraft } from './input.schema.ts'
import { inputFaults, outputFaults } from './link.rules.ts'
import { OutputDraft } from './output.schema.ts'

const REFUSED = [{ field: 'config.port', sentence: 'must be a port between 1024 and 65535.' }]

function inputWith(inputType: string, mode: string, port: number) {
  const config = { mode, port, host: '192.0.2.7', multicast: '239.1.2.3' }
  return InputDraft.parse({ title: 'In', inputType, serverId: 's', groupId: 'g', config })
}

function outputWith(inputType: string, mode: string, port: number) {
  const config = { mode, port, host: '192.0.2.7' }
  return OutputDraft.parse({ title: 'Out', inputType, contributionId: 'i', config })
}

test.each(['SRT', 'RIST'])('SRV-08 %s: a port that is called may be any', (type) => {
  for (const port of [1, 443, 1023, 65_535]) {
    expect(inputFaults(inputWith(type, 'Push', port))).toEqual([])
    expect(outputFaults(outputWith(type, 'Push', port))).toEqual([])
  }
})

test.each(['SRT', 'RIST'])('SRV-08 %s: a port that is listened on starts at 1024', (type) => {
  for (const port of [1, 443, 1023]) {
    expect(inputFaults(inputWith(type, 'Listen', port))).toEqual(REFUSED)
    expect(outputFaults(outputWith(type, 'Listen', port))).toEqual(REFUSED)
  }
  expect(inputFaults(inputWith(type, 'Listen', 1024))).toEqual([])
  expect(outputFaults(outputWith(type, 'Listen', 1024))).toEqual([])
})

test('SRV-08 a Local input receives at its port, whatever its mode says', () => {
  expect(inputFaults(inputWith('Local', 'Push', 443))).toEqual(REFUSED)
  expect(inputFaults(inputWith('Local', 'Listen', 443))).toEqual(REFUSED)
})

test('SRV-08 a host refuses to listen below 1024, and calls any port', () => {
  const leg = {
    protocol: 'srt',
    host: '192.0.2.7',
    port: 443,
    adapterIp: '',
    key: null,
    latencyMs: 300,
    maxBandwidthBytes: 0,
    advanced: [],
  }
  expect(Leg.safeParse({ ...leg, mode: 'call' }).success).toBe(true)
  expect(Leg.safeParse({ ...leg, mode: 'listen' }).error?.issues[0]?.path).toEqual(['port'])
  expect(Leg.safeParse({ ...leg, mode: 'listen', port: 1024 }).success).toBe(true)
})
