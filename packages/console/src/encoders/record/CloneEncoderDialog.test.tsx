import { screen, waitFor, within } from '@testing-library/react'
import {
  cloneEncoder,
  readEncoderHost,
  type EncoderHost,
} from '@trunkline/contract/encoders/encoder.calls'
import { readEnrolment } from '@trunkline/contract/enrolment/enrolment.calls'
import type { Role } from '@trunkline/contract/roles'
import { afterEach, expect, test } from 'vitest'
import { refuse, refuseOddly, type FakeApi } from '../../test/fake-api.ts'
import { enrolmentOf } from '../../test/place.samples.ts'
import { resetConsole } from '../../test/render-console.tsx'
import { configSample, encoderOf } from '../../test/samples.ts'
import { openManager } from '../manager/manager.fixture.ts'

afterEach(resetConsole)

const HOST: EncoderHost = {
  online: true,
  heardAtMs: 1,
  sources: [
    { cardIdx: 3, kind: 'file', label: 'Film', unusable: '' },
    { cardIdx: 0, kind: 'test-pattern', label: 'Test pattern', unusable: '' },
    { cardIdx: 1, kind: 'test-pattern', label: 'Second pattern', unusable: '' },
    { cardIdx: 2, kind: 'v4l2', label: 'Webcam', unusable: 'It is away.' },
    { cardIdx: 4, kind: 'file', label: 'Loop', unusable: '' },
  ],
  taken: [{ cardIdx: 1, title: 'Camera b' }],
  encoders: [],
  cpuCores: 2,
  proposed: { cardIdx: 0, targetPort: 5000, videoPid: 512, audioPid: 4112, pmtPid: 256 },
}

interface Scene {
  host?: EncoderHost
  config?: typeof configSample | null
  warnings?: string[]
  role?: Role
  prepare?: (api: FakeApi) => void
}

async function openClone({
  host = HOST,
  config = configSample,
  warnings = [],
  role = 'manager',
  prepare,
}: Scene) {
  const encoder = encoderOf('a', { config })
  const scene = await openManager({
    role,
    encoders: [encoder],
    prepare: (api) => {
      api.on(readEncoderHost).answer(() => ({ status: true, data: host }))
      api.on(cloneEncoder).answer(() => ({
        status: true,
        data: encoderOf('z', { title: 'Camera a copy' }),
        id: 'z',
        warnings,
      }))
      prepare?.(api)
    },
  })
  const menu = await scene.menuOf('Camera a')
  await scene.user.click(menu.getByRole('menuitem', { name: 'Clone' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Clone encoder' }))
  const save = async () => scene.user.click(dialog.getByRole('button', { name: 'Clone encoder' }))
  const card = () => dialog.getByRole('combobox', { name: 'Card index' })
  const offered = () =>
    within(card())
      .getAllByRole('option')
      .map((option) => option.textContent)
  return { ...scene, dialog, save, card, offered }
}

const bodiesOf = (api: FakeApi) => api.askedOf(cloneEncoder).map(({ body }) => body)
const gone = async () =>
  waitFor(() => expect(screen.queryByRole('dialog', { name: 'Clone encoder' })).toBeNull())

test('clone: title, host and the first free card of the host are filled in', async () => {
  const { dialog, card, offered, save, api } = await openClone({})
  await waitFor(() => expect(offered()).toEqual(['3: Film', '4: Loop']))
  expect(card()).toHaveProperty('value', '3')
  expect(dialog.getByLabelText('Title')).toHaveProperty('value', 'Camera a copy')
  expect(dialog.getByLabelText('IP')).toHaveProperty('value', '127.0.0.1')
  expect(dialog.getByLabelText('Port')).toHaveProperty('value', '8000')
  await save()
  await screen.findByText('Success add new encoder')
  expect(api.askedOf(cloneEncoder)[0]?.path).toBe('/api/encoder/clone/a')
  expect(bodiesOf(api)).toEqual([{ title: 'Camera a copy', 'card-idx': 3 }])
  await gone()
})

test('clone: on another host any card may be named, and the address is sent', async () => {
  const { dialog, user, card, offered, save, api } = await openClone({})
  await waitFor(() => expect(offered()).toHaveLength(2))
  await user.clear(dialog.getByLabelText('Port'))
  await user.type(dialog.getByLabelText('Port'), '8100')
  expect(offered()).toHaveLength(64)
  await user.selectOptions(card(), '7')
  await user.clear(dialog.getByLabelText('Title'))
  await user.type(dialog.getByLabelText('Title'), 'Far camera')
  await save()
  await gone()
  expect(bodiesOf(api)).toEqual([
    { title: 'Far camera', 'card-idx': 7, ip: '127.0.0.1', port: 8100 },
  ])
})

test('clone: where no card of the host is known, those of encoders are left out', async () => {
  const host = { ...HOST, heardAtMs: null, online: false, sources: [] }
  const { offered } = await openClone({ host })
  await waitFor(() => expect(offered()).toHaveLength(62))
  expect(offered().slice(0, 2)).toEqual(['2', '3'])
})

test('clone: without a configuration no card is asked for', async () => {
  const { dialog, save, api } = await openClone({ config: null })
  expect(dialog.queryByRole('combobox', { name: 'Card index' })).toBeNull()
  dialog.getByText(/so the copy has none either/)
  await save()
  await gone()
  expect(bodiesOf(api)).toEqual([{ title: 'Camera a copy', 'card-idx': 0 }])
})

test('clone: the differences from the original stay on screen', async () => {
  const warnings = ['Output 1 of the copy sends to udp://127.0.0.1:5002?ttl=12.', 'Another.']
  const { save, user } = await openClone({ warnings })
  await save()
  const result = within(await screen.findByRole('dialog', { name: 'Clone encoder' }))
  await result.findByText('Camera a copy was added. Check this before you start it:')
  expect(result.getAllByRole('listitem').map((listitem) => listitem.textContent)).toEqual(warnings)
  await user.click(result.getByRole('button', { name: 'Done' }))
  await gone()
  const opener = screen.getByRole('button', { name: 'More for Camera a' })
  await waitFor(() => expect(document.activeElement).toBe(opener))
})

test('clone: a card that was taken meanwhile is said at its field, and what was typed stays', async () => {
  const sentence = "Card 3 of 127.0.0.1:8000 is taken by encoder 'Camera c'. Choose another."
  const { dialog, save } = await openClone({
    prepare: (api) => {
      const failure = { status: false, error: sentence, msg: sentence, field: 'card-idx' }
      api.on(cloneEncoder).answer(() => refuseOddly(409, { ...failure, code: 'conflict' }))
    },
  })
  await save()
  await dialog.findByText(sentence)
  expect(dialog.getByLabelText('Title')).toHaveProperty('value', 'Camera a copy')
})

test('clone: a refusal shows its reason, and an empty field is not sent', async () => {
  const sentence = 'Only an admin may clone an encoder to an address of no other encoder.'
  const { dialog, user, save, api } = await openClone({
    prepare: (api) => api.on(cloneEncoder).answer(() => refuse(403, sentence)),
  })
  await user.clear(dialog.getByLabelText('Title'))
  await save()
  await dialog.findByText('Type a title.')
  expect(bodiesOf(api)).toEqual([])
  await user.type(dialog.getByLabelText('Title'), 'Far')
  await save()
  await dialog.findByText(sentence)
})

test('T11 a copy on a new host leads on to enrol it, after what differs from the original was read', async () => {
  const { dialog, user, save, api } = await openClone({
    role: 'admin',
    warnings: ['The copy has the API key of Camera a.'],
    prepare: (fake) =>
      fake.on(readEnrolment).answer(() => ({ status: true, data: enrolmentOf('encoder', 'z') })),
  })
  await user.clear(dialog.getByLabelText('IP'))
  await user.type(dialog.getByLabelText('IP'), '10.20.7.4')
  await save()
  const warned = within(await screen.findByRole('dialog', { name: 'Clone encoder' }))
  await warned.findByText('The copy has the API key of Camera a.')
  await user.click(warned.getByRole('button', { name: 'Done' }))
  const next = within(await screen.findByRole('dialog', { name: /^Secure connection/ }))
  await next.findByRole('button', { name: 'Make enrolment code' })
  expect(api.askedOf(readEnrolment)[0]?.path).toBe('/api/hosts/encoder/z/enrolment')
})
