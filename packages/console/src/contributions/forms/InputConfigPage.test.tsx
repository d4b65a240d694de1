import { screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { resetConsole } from '../../test/render-console.tsx'
import { OFFERED_GROUP, openForm, PATHS } from './link-form.fixture.ts'

afterEach(resetConsole)

test('IN-FORM-01 IN-FORM-11 IN-FORM-24 IN-FORM-26 IN-FORM-28 IN-FORM-29 a new input is filled in, saved, and the list is shown', async () => {
  const { type, press, saves, pathname, valueOf, field } = await openForm(PATHS.newInput)
  await screen.findByRole('heading', { name: 'Contribution Config' })
  await waitFor(async () => expect(await valueOf('Multicast')).toBe(OFFERED_GROUP))
  expect(((await field('Host')) as HTMLInputElement).placeholder).toBe('Any')
  await type('Title', 'Marathon km 30')
  await type('Port', '6010')
  await press('Save')
  await screen.findByText('Contribution added successfully')
  await waitFor(() => expect(pathname()).toBe('/dashboard/contribution'))
  expect(saves()).toMatchObject([
    {
      title: 'Marathon km 30',
      inputType: 'SRT',
      serverId: 'gw-west',
      groupId: 'north',
      config: {
        mode: 'Listen',
        host: '',
        adapterIp: '',
        port: '6010',
        multicast: OFFERED_GROUP,
        latency: 3000,
        maxBandWidth: 625_000,
      },
      encryption: { selection: 'no', type: 128, passphrase: '' },
      advanced: [],
    },
  ])
})
