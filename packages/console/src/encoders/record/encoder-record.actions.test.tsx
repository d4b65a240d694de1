import { screen, waitFor, within } from '@testing-library/react'
import {
  enableEncoder,
  readEncoderStatus,
  removeEncoder,
  removeEncoderConfig,
} from '@trunkline/contract/encoders/encoder.calls'
import { Feeder } from '@trunkline/contract/encoders/encoder-config.schema'
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import type { ProgramStatus } from '@trunkline/contract/fleet/fleet.schema'
import { afterEach, expect, test } from 'vitest'
import { refuse, refuseOddly, type FakeApi } from '../../test/fake-api.ts'
import { hostOf } from '../../test/place.samples.ts'
import { resetConsole } from '../../test/render-console.tsx'
import { configSample, encoderOf, statusOf } from '../../test/samples.ts'
import { STOPPED } from '../dashboard/dashboard.fixture.ts'
import { answerList, listsOf, openManager } from '../manager/manager.fixture.ts'

afterEach(resetConsole)

const FEEDER = Feeder.parse({
  name: 'feeder-1',
  serverId: 'gw-west',
  input: { title: 'Main', addr: '127.0.0.1:5000', port: 5000 },
  output: [{ addr: '203.0.113.20:6000', port: 6000 }],
})

/** One encoder whose calls do what they say. */
async function openWith(encoder: Encoder, programs: readonly ProgramStatus[] = []) {
  const scene = await openManager({
    encoders: [encoder],
    hosts: [hostOf('a')],
    programs,
    prepare: (api) => {
      api.on(enableEncoder).answer(({ body }) => {
        const { isEnabled } = body as { isEnabled: boolean }
        answerList(api, [{ ...encoder, isEnabled }])
        return { status: true, isEnabled, data: { ...encoder, isEnabled } }
      })
      api.on(removeEncoder).answer(() => {
        answerList(api, [])
        return { status: true, id: 'a' }
      })
      api.on(removeEncoderConfig).answer(() => {
        answerList(api, [{ ...encoder, config: null }])
        return { status: true, data: { ...encoder, config: null } }
      })
      api
        .on(readEncoderStatus)
        .answer(() => ({ status: true, results: 'encoder0 STOPPED', state: 'stopped' }))
    },
  })
  const choose = async (item: string) => {
    const menu = await scene.menuOf('Camera a')
    await scene.user.click(menu.getByRole('menuitem', { name: item }))
  }
  const answer = async (button: string) => {
    const dialog = await screen.findByRole('dialog', { name: 'Are you sure?' })
    await scene.user.click(within(dialog).getByRole('button', { name: button }))
    return dialog
  }
  return { ...scene, choose, answer }
}

function changesOf(api: FakeApi) {
  return api.asked.filter(({ method }) => method === 'PUT' || method === 'DELETE')
}

test('ENC-11 Q65 a stopped encoder is disabled at once, and its label changes', async () => {
  const { choose, api, menuOf } = await openWith(encoderOf('a'), [statusOf('a', STOPPED)])
  await screen.findByText('Stopped')
  await choose('Disable')
  await screen.findByText('Success updated')
  screen.getByText('Camera a disabled')
  await screen.findByText('Disabled')
  expect(changesOf(api)).toMatchObject([
    { path: '/api/encoder/update-enabled-status/a', body: { isEnabled: false } },
  ])
  expect(api.askedOf(readEncoderStatus)).toEqual([])
  const menu = await menuOf('Camera a')
  menu.getByRole('menuitem', { name: 'Enable' })
})

test('ENC-11 ENC-12 enabling asks nothing first, and checks the state right after', async () => {
  const { choose, api } = await openWith(encoderOf('a', { isEnabled: false }))
  await screen.findByText('Disabled')
  await choose('Enable')
  await screen.findByText('Camera a enabled')
  await screen.findByText('Online')
  expect(changesOf(api)).toMatchObject([{ body: { isEnabled: true } }])
  await waitFor(() => expect(api.askedOf(readEncoderStatus)).toHaveLength(1))
})

test('ENC-10 ENC-12 an unconfigured encoder is enabled without a check', async () => {
  const { choose, api } = await openWith(encoderOf('a', { isEnabled: false, config: null }))
  await choose('Enable')
  await screen.findByText('Not Configured')
  expect(api.askedOf(readEncoderStatus)).toEqual([])
})

test('Q65 DLG-15 disabling what runs asks first; keeping it sends nothing', async () => {
  const { choose, answer, api } = await openWith(encoderOf('a'), [statusOf('a')])
  await screen.findByText('Running')
  await choose('Disable')
  const dialog = await answer('Keep it enabled')
  within(dialog).getByText(/^It is running and will be stopped: everything that reads/)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(changesOf(api)).toEqual([])
  expect(document.activeElement?.getAttribute('aria-label')).toBe('More for Camera a')
  await choose('Disable')
  await answer('Disable encoder')
  await screen.findByText('Camera a disabled')
})

test('Q65 disabling an encoder that should run on a silent host also asks first', async () => {
  const unseen = statusOf('a', { state: 'unreachable' })
  const { choose, answer, api } = await openWith(encoderOf('a'), [unseen])
  await choose('Disable')
  const dialog = await answer('Keep it enabled')
  within(dialog).getByText(/^Its host does not answer, and it may run there\./)
  expect(changesOf(api)).toEqual([])
})

test('ENC-16 ENC-18 DLG-07 DLG-15 removing asks first, then the row is gone', async () => {
  const { choose, answer, api } = await openWith(encoderOf('a'))
  await choose('Remove Encoder')
  const dialog = await answer('Keep encoder')
  within(dialog).getByText('Remove Camera a, with its configuration. This cannot be undone.')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(changesOf(api)).toEqual([])
  screen.getByRole('row', { name: /Camera a/ })
  const before = listsOf(api).length
  await choose('Remove Encoder')
  await answer('Remove encoder')
  await screen.findByText('Success deleted')
  await screen.findByText('No encoders here')
  expect(changesOf(api)).toMatchObject([{ method: 'DELETE', path: '/api/encoder/a' }])
  expect(listsOf(api).length).toBeGreaterThan(before)
})

test('Q69 removing a running encoder says that it is stopped', async () => {
  const { choose, answer } = await openWith(encoderOf('a'), [statusOf('a')])
  await screen.findByText('Running')
  await choose('Remove Encoder')
  const dialog = await answer('Keep encoder')
  expect(within(dialog).getByText(/^It is running\. It is stopped first/)).toBeDefined()
})

test.each(['Remove Encoder', 'Delete config'])(
  'ENC-17 ERR-21 Q67 with a feeder %s says what to do first, and sends nothing',
  async (item) => {
    const config = { ...configSample, feeder: [FEEDER] }
    const { choose, api } = await openWith(encoderOf('a', { config }))
    await choose(item)
    await screen.findByText('Please remove first feeder.')
    screen.getByText('Camera a has 1 feeder. Open Edit Config to delete it.')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(changesOf(api)).toEqual([])
  },
)

test('ENC-17 the API refuses because of a feeder that this page does not know yet', async () => {
  const { choose, answer, api } = await openWith(encoderOf('a'))
  api.on(removeEncoder).answer(() => refuse(409, 'Please remove first feeder.'))
  await choose('Remove Encoder')
  await answer('Remove encoder')
  await screen.findByText('Please remove first feeder.')
  expect(screen.getByRole('row', { name: /Camera a/ })).toBeDefined()
})

test('ERR-02 a failure without a message shows ours', async () => {
  const { choose, answer, api } = await openWith(encoderOf('a'))
  api.on(removeEncoder).answer(() => refuseOddly(500, {}))
  await choose('Remove Encoder')
  await answer('Remove encoder')
  expect(await screen.findByText('Something went wrong, Please try again')).toBeDefined()
})

test('ENC-19 DLG-07 Q67 a configuration is deleted after a question, and the chip says so', async () => {
  const { choose, answer, api } = await openWith(encoderOf('a'), [statusOf('a', STOPPED)])
  await screen.findByText('Stopped')
  await choose('Delete config')
  await answer('Keep config')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(changesOf(api)).toEqual([])
  await choose('Delete config')
  const dialog = await answer('Delete config')
  within(dialog).getByText(/^Delete the configuration of Camera a\./)
  await screen.findByText('Not Configured')
  screen.getByText('Success deleted')
  expect(changesOf(api)).toMatchObject([
    { method: 'DELETE', path: '/api/encoder/configDeleteApi/a' },
  ])
})

test('ERR-22 there is no configuration to delete', async () => {
  const { choose, api } = await openWith(encoderOf('a', { config: null }))
  await choose('Delete config')
  await screen.findByText('This encoder is not yet configured.')
  expect(changesOf(api)).toEqual([])
})

test('DLG-14 while an action is under way its row is busy, and no second action starts', async () => {
  const answered = Promise.withResolvers<void>()
  const { choose, api, row, user } = await openWith(encoderOf('a'), [statusOf('a', STOPPED)])
  await screen.findByText('Stopped')
  const off = encoderOf('a', { isEnabled: false })
  api.on(enableEncoder).answer(async () => {
    await answered.promise
    return { status: true, isEnabled: false, data: off }
  })
  await choose('Disable')
  const shown = await row('Camera a')
  await waitFor(() => expect(shown.getAttribute('aria-busy')).toBe('true'))
  await user.click(screen.getByRole('button', { name: 'More for Camera a' }))
  expect(changesOf(api)).toHaveLength(1)
  answerList(api, [off])
  answered.resolve()
  await screen.findByText('Disabled')
  await waitFor(() => expect(shown.getAttribute('aria-busy')).toBeNull())
})
