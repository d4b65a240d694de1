/** The configuration of an encoder in a real browser: edited, saved, restarted, and fought over. */
import type { Page } from '@playwright/test'
import {
  addEncoder,
  controlEncoder,
  findEncoder,
  removeEncoder,
} from '@trunkline/contract/encoders/encoder.calls'
import type { EncoderConfig } from '@trunkline/contract/encoders/encoder-config.schema'
import { callApi } from '@trunkline/testbed/api-client'
import type { DemoSite } from '@trunkline/testbed/demo'
import { expectNoFindingInLooks, LOOKS } from '../axe.steps.ts'
import { ownLiveEncoder, type OwnEncoder } from '../encoder.steps.ts'
import { answer, button, dialogOf, expectNotice, isLive } from '../page.steps.ts'
import { ownTitle } from '../people.steps.ts'
import { expect, signIn, test } from '../site.fixture.ts'

test.use({ demoEncoder: 'stopped' })

/** An address of this machine that no other encoder has: their ports are not in the way. */
const OWN_HOST = '127.0.0.71'

/** In North, unconfigured, on a port where nobody answers. */
async function ownEncoder(site: DemoSite): Promise<OwnEncoder> {
  const title = ownTitle('encoder')
  const { id } = await callApi(site.client, addEncoder, {
    body: {
      title,
      ip: OWN_HOST,
      port: 1099,
      apiKey: 'test-key-0123456789',
      groupId: site.ids.groupIds['North'] ?? '',
    },
  })
  return {
    id,
    title,
    async [Symbol.asyncDispose]() {
      await callApi(site.client, removeEncoder, { params: { id } })
    },
  }
}

async function configured(site: DemoSite, id: string): Promise<EncoderConfig> {
  const { data } = await callApi(site.client, findEncoder, { params: { id } })
  if (data.config === null) throw new Error('It has no configuration.')
  return data.config
}

async function openConfig(page: Page, site: DemoSite, id: string, search = ''): Promise<void> {
  await page.goto(`${site.url}/dashboard/edit_encoder/${id}${search}`)
  await expect(field(page, 'Title')).toBeVisible()
}

function field(page: Page, label: string) {
  return page.getByRole('main').getByLabel(label, { exact: true })
}

async function openTab(page: Page, name: RegExp): Promise<void> {
  await page.getByRole('tab', { name }).click()
  await expect(page.getByRole('tab', { name, selected: true })).toBeVisible()
}

async function atDashboard(page: Page, site: DemoSite): Promise<void> {
  await expect(page).toHaveURL(`${site.url}/`)
}

test('CFG-03 CFG-12 CFG-18 CFG-36 CFG-37 Q89 an encoder is configured, saved, and found as it was set', async ({
  page,
  site,
  complaints,
}) => {
  await using own = await ownEncoder(site)
  await signIn(page, site, 'manager')
  await openConfig(page, site, own.id)
  await expect(field(page, 'Video format')).toHaveValue('1080i50')
  // Until the host is known to be silent there is a list to choose from.
  await expect(page.getByText('Its host has not answered yet')).toBeVisible()
  await field(page, 'Card index').fill('2')
  await expect(field(page, 'Name')).toHaveValue('encoder2')
  await field(page, 'Video format').selectOption('pal')
  await expect(page.getByText('pal preset applied.')).toBeVisible()
  await openTab(page, /^Audio Settings/)
  await field(page, 'Format').selectOption('aac')
  await openTab(page, /^Output Settings/)
  await button(page, 'Add output').click()
  const second = page.getByRole('group', { name: 'Output 2', exact: true })
  await second.getByLabel('Type', { exact: true }).selectOption('rtp')
  await second.getByLabel('IP', { exact: true }).fill('239.10.4.1')
  await second.getByLabel('Port', { exact: true }).fill('5100')
  // Closing the tab asks while something is unsaved.
  const closesAtOnce = async () =>
    page.evaluate(() => window.dispatchEvent(new Event('beforeunload', { cancelable: true })))
  expect(await closesAtOnce()).toBe(false)
  const asked = page.waitForRequest((request) => request.url().endsWith('/api/encoder/update'))
  await button(page, 'Save').click()
  expect((await asked).postData()).not.toContain('pmt-period')
  await expectNotice(page, 'Success updated', own.title)
  await atDashboard(page, site)
  await expect.poll(closesAtOnce).toBe(true)

  expect(await configured(site, own.id)).toMatchObject({
    name: 'encoder2',
    'card-idx': 2,
    'video-format': 'pal',
    'video-stream': { width: 720, profile: 'main', level: '3.2', keyint: 24, bitrate: 1500 },
    'audio-stream': { format: 'aac', 'aac-profile': 'aac-lc', 'aac-encap': 'adts', bitrate: 128 },
    muxer: { 'ts-muxrate': 1_850_000 },
    output: [
      { type: 'udp', target: 'udp://127.0.0.1:5000?ttl=12' },
      { type: 'rtp', target: 'rtp://239.10.4.1:5100?ttl=12' },
    ],
  })
  await openConfig(page, site, own.id, '?tab=output')
  await expect(second.getByLabel('Port', { exact: true })).toHaveValue('5100')
  await expect(page.getByText('No unsaved changes')).toBeVisible()
  expect(complaints).toEqual([])
})

test('decisions 16 two operators edit one encoder, and neither loses anything unseen', async ({
  page,
  site,
  otherOperator,
}) => {
  await using own = await ownEncoder(site)
  await signIn(page, site, 'manager')
  await openConfig(page, site, own.id)
  await button(page, 'Save').click()
  await atDashboard(page, site)
  await openConfig(page, site, own.id)
  await isLive(page)
  await field(page, 'Keyint').fill('12')

  const other = await otherOperator('admin')
  await openConfig(other, site, own.id)
  await field(other, 'Keyint').fill('25')
  await field(other, 'Threads').fill('3')
  await button(other, 'Save').click()
  await atDashboard(other, site)

  const changes = page.getByRole('table', { name: 'What they changed', exact: true })
  const keyint = changes.getByRole('row', { name: /^Keyint/ })
  await expect(keyint.getByRole('cell')).toHaveText(['50', '25', '12'])
  await expect(field(page, 'Threads')).toHaveValue('3')
  await expect(field(page, 'Keyint')).toHaveValue('12')
  await button(page, 'Keep mine').click()
  await expect(changes).toHaveCount(0)
  await button(page, 'Save').click()
  await atDashboard(page, site)
  expect((await configured(site, own.id))['video-stream']).toMatchObject({ keyint: 12, threads: 3 })
})

test('Q90 a running encoder keeps its settings on save, and takes them on Save and restart', async ({
  page,
  site,
}) => {
  // Its own, so that the demo's chain is not interrupted.
  await using own = await ownLiveEncoder(site, 6)
  const start = { name: 'encoder6', command: 'start' } as const
  await callApi(site.client, controlEncoder, { params: { id: own.id }, body: { data: start } })
  await signIn(page, site, 'manager')
  await openConfig(page, site, own.id)
  await expect(page.getByRole('main').getByText('Running', { exact: true }).first()).toBeVisible()
  await field(page, 'Keyint').fill('48')
  await button(page, 'Save').click()
  await atDashboard(page, site)
  await openConfig(page, site, own.id)
  await expect(page.getByText(/still has the settings from before the last save/)).toBeVisible()
  await field(page, 'Max refs').fill('2')
  await button(page, 'Save and restart').click()
  await answer(page, `Restart ${own.title}.`, 'Restart encoder')
  await atDashboard(page, site)
  await openConfig(page, site, own.id)
  await expect(field(page, 'Keyint')).toHaveValue('48')
  await expect(field(page, 'Max refs')).toHaveValue('2')
  await expect(page.getByRole('main').getByText('Running', { exact: true }).first()).toBeVisible()
  await expect(page.getByText(/settings from before the last save/)).toHaveCount(0)
})

test('axe finds nothing on the configuration page, dark and light, 1440 and 390 wide', async ({
  page,
  site,
  complaints,
}) => {
  await using own = await ownEncoder(site)
  await signIn(page, site, 'superadmin')
  await openConfig(page, site, own.id)
  await field(page, 'Video format').selectOption('pal')
  await page.getByText('Config text').first().click()
  for (const tab of [/^Video/, /^Audio/, /^Mux/, /^Output/, /^Feeder/]) {
    await openTab(page, tab)
    await expectNoFindingInLooks(page, LOOKS)
  }
  await openTab(page, /^Audio/)
  await field(page, 'PID').fill('512')
  await button(page, 'Save').click()
  await expect(field(page, 'Video PID')).toBeFocused()
  await expectNoFindingInLooks(page, LOOKS)
  await button(page, 'Discard').click()
  await expect(dialogOf(page, 'Are you sure?')).toBeVisible()
  expect(complaints).toEqual([])
})
