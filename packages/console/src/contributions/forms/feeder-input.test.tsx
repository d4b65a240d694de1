import { screen } from '@testing-library/react'
import { addInput } from '@trunkline/contract/contributions/input.calls'
import type { Feeder } from '@trunkline/contract/encoders/encoder-config.schema'
import { findEncoder } from '@trunkline/contract/encoders/encoder.calls'
import { afterEach, expect, test } from 'vitest'
import { refuse } from '../../test/fake-api.ts'
import { resetConsole } from '../../test/render-console.tsx'
import { configSample, encoderOf } from '../../test/samples.ts'
import { openForm } from './link-form.fixture.ts'

afterEach(resetConsole)

const FEEDER: Feeder = {
  name: 'f1',
  serverId: 'gw-west',
  input: {
    title: 'to West',
    type: 'udp',
    addr: '127.0.0.1:5000',
    port: 5000,
    multicast: '',
    max_bw: 625_000,
  },
  output: [
    {
      type: 'srt',
      addr: '203.0.113.20:6022',
      port: 6022,
      latency: 800,
      adv_params: [],
      max_bw: 625_000,
      passphrase: '',
      passphraseSet: true,
      pbkeylen: 256,
    },
  ],
}

async function openFor(serverId: string, feeder = FEEDER, name = 'f1') {
  const encoder = encoderOf('a', { config: { ...configSample, feeder: [feeder] } })
  return openForm(`/dashboard/${serverId}/north/contribution/new?encoder=a&feeder=${name}`, {
    prepare: (api) => api.on(findEncoder).answer(() => ({ status: true, data: encoder, encoder })),
  })
}

test('Q102 the matching input is filled in from its feeder; the API copies the passphrase', async () => {
  const { valueOf, openTab, press, api, router } = await openFor('gw-west')
  expect(await valueOf('Title')).toBe('to West')
  expect(await valueOf('Port')).toBe('6022')
  expect(await valueOf('Latency')).toBe('800')
  const type = await screen.findByRole('button', { name: 'aCANFeeder' })
  expect(type.getAttribute('aria-pressed')).toBe('true')
  await openTab(/Encryption/)
  expect(await valueOf('Encryption')).toBe('256')
  expect(await valueOf('Passphrase')).toBe('')
  await screen.findByText(/^Leave empty to use the passphrase of feeder 'to West'/)
  expect(router.state.location.search).toMatchObject({ encoder: 'a', feeder: 'f1' })
  await press('Save')
  await screen.findByText('Contribution added successfully')
  expect(api.askedOf(addInput)[0]?.body).toMatchObject({
    title: 'to West',
    inputType: 'aCANFeeder',
    serverId: 'gw-west',
    groupId: 'north',
    config: { mode: 'Listen', port: 6022, latency: 800 },
    encryption: { selection: 'yes', passphrase: '', type: 256 },
    feeder: { encoderId: 'a', name: 'f1' },
  })
})

test('Q102 the server is chosen by the operator where the feeder calls none of ours', async () => {
  const { valueOf, press, api, choose } = await openFor('none')
  expect(await valueOf('Server')).toBe('')
  await press('Save')
  await screen.findAllByText('Server is not selected')
  expect(api.askedOf(addInput)).toEqual([])
  await choose('Server', 'gw-west')
  expect(await valueOf('Port')).toBe('6022')
})

test('Q102 a feeder without encryption makes an input without it', async () => {
  const output = FEEDER.output.map((item) => ({ ...item, passphraseSet: false }))
  const { valueOf, openTab } = await openFor('gw-west', { ...FEEDER, output })
  await openTab(/Encryption/)
  expect(await valueOf('Encryption')).toBe('no')
})

test('Q102 a missing feeder and a failed read each show a message', async () => {
  const gone = await openFor('gw-west', FEEDER, 'f2')
  expect(await screen.findByText('This feeder does not exist.')).toBeDefined()
  gone.screen.unmount()
  resetConsole()
  await openForm('/dashboard/gw-west/north/contribution/new?encoder=a&feeder=f1', {
    prepare: (api) => api.on(findEncoder).answer(() => refuse(500, 'No database')),
  })
  await screen.findByText('This input could not be read.')
})
