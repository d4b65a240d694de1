/** The list of channels: its filters, the chips, the title, switch and restart. */
import type { Locator, Page } from '@playwright/test'
import {
  changesOf,
  DEMO_CHANNEL,
  failNext,
  openChannels,
  openDetail,
  ownChannel,
  ownChannelServer,
  ownStream,
  switchOf,
  dismissNotice,
} from './channel.steps.ts'
import { bodiesOf } from './encoder.steps.ts'
import { button, expectNotice, isLive, rowOf, withoutLive } from './page.steps.ts'
import { expect, signIn, test } from './site.fixture.ts'

const LIST = 'POST /api/channel/get_channels'
const FIRST_PAGE = { page: 0, rowsPerPage: 24 }
const SWITCH = '/api/channel/change_stream_status'
const RESTART = '/api/channel/stop_stream'

function picker(page: Page, name: 'Group' | 'Server'): Locator {
  return page.getByRole('combobox', { name, exact: true })
}

test('CHAN-04 STORE-03 Q128 group and server are asked for and remembered, the search stands in the address', async ({
  page,
  site,
}) => {
  await using server = await ownChannelServer(site)
  await using stream = await ownStream(site)
  await using channel = await ownChannel(site, stream.name, { serverId: server.id })
  const bodies = bodiesOf(page, LIST)
  await signIn(page, site, 'admin')
  await openChannels(page, site)
  await expect(rowOf(page, channel.title)).toBeVisible()
  await expect(rowOf(page, DEMO_CHANNEL)).toBeVisible()
  expect(bodies[0]).toEqual({ serverId: '', groupId: '', searchValue: '', ...FIRST_PAGE })

  const groupId = site.ids.groupIds['North'] ?? ''
  await picker(page, 'Group').selectOption('North')
  await picker(page, 'Server').selectOption(server.title)
  await expect(rowOf(page, DEMO_CHANNEL)).toHaveCount(0)
  await expect(rowOf(page, channel.title)).toBeVisible()
  expect(bodies).toContainEqual({ serverId: server.id, groupId, searchValue: '', ...FIRST_PAGE })

  await page.reload()
  await expect(rowOf(page, channel.title)).toBeVisible()
  await expect(picker(page, 'Group').locator('option:checked')).toHaveText('North')
  await expect(picker(page, 'Server').locator('option:checked')).toHaveText(server.title)
  expect(bodies.at(-1)).toEqual({ serverId: server.id, groupId, searchValue: '', ...FIRST_PAGE })

  const search = page.getByRole('searchbox', { name: 'Search channels', exact: true })
  await picker(page, 'Server').selectOption('')
  await search.fill('Demo li')
  await expect(rowOf(page, channel.title)).toHaveCount(0)
  await expect(rowOf(page, DEMO_CHANNEL)).toBeVisible()
  expect(bodies).toContainEqual({ serverId: '', groupId, searchValue: 'Demo li', ...FIRST_PAGE })
  await page.reload()
  await expect(rowOf(page, DEMO_CHANNEL)).toBeVisible()
  await expect(search).toHaveValue('Demo li')
  await openChannels(page, site)
  await expect(rowOf(page, channel.title)).toBeVisible()
  await expect(search).toHaveValue('')
})

test('CHAN-05 CHAN-10 CHAN-12 to CHAN-17 the demo’s row shows the state of the stream on its server', async ({
  page,
  site,
  complaints,
}) => {
  await signIn(page, site, 'monitor')
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === '/api/channel/streams') asked.push(searchParams.toString())
  })
  await openChannels(page, site)
  const row = rowOf(page, DEMO_CHANNEL)
  await expect(row.getByText('Online', { exact: true })).toBeVisible()
  const { srtToChannel, ristToChannel } = site.plan.ports
  await expect(row).toContainText(
    new RegExp(`(srt://:${srtToChannel}|rist://@127.0.0.1:${ristToChannel})\\?`),
  )
  await expect(row).toContainText(/h264,? 320×180/)
  await expect(row).toContainText(/mp2a,? 128/)
  await expect(row).toContainText('Demo streams')
  await expect(row).toContainText('Transcoder off, DVR off')
  await expect(row).toContainText('Source')
  const { serverId, streamName } = { serverId: site.ids.channelServerId, streamName: 'demo' }
  const kbps = async () => {
    const text = (await row.textContent()) ?? ''
    return Number(/([\d,]+) kbit\/s/.exec(text)?.[1]?.replaceAll(',', '') ?? 0)
  }
  // The encoder sends 600 kbit/s of transport stream; a reading over two of its bursts may be off.
  await expect.poll(kbps).toBeGreaterThan(300)
  await expect.poll(kbps).toBeLessThan(1200)
  await openDetail(page, DEMO_CHANNEL)
  await expect.poll(() => asked).toContain(new URLSearchParams({ serverId, streamName }).toString())
  expect(complaints).toEqual([])
})

test('CHAN-09 CHAN-11 Q129 STATE-06 each chip: off, no media, no such stream, a silent server', async ({
  page,
  site,
}) => {
  await using server = await ownChannelServer(site)
  await using off = await ownStream(site, { disabled: true })
  await using waiting = await ownStream(site)
  await using gone = await ownStream(site)
  await using silent = await ownStream(site)
  await using offRow = await ownChannel(site, off.name)
  await using waitingRow = await ownChannel(site, waiting.name)
  await using goneRow = await ownChannel(site, gone.name)
  await using silentRow = await ownChannel(site, silent.name, { serverId: server.id })
  await gone[Symbol.asyncDispose]()
  await server.shut()
  await signIn(page, site, 'manager')
  await openChannels(page, site)
  const chip = (title: string, word: string) => rowOf(page, title).getByText(word, { exact: true })
  await expect(chip(offRow.title, 'Disabled')).toBeVisible()
  await expect(switchOf(page, offRow.title)).not.toBeChecked()
  await expect(chip(waitingRow.title, 'Offline')).toBeVisible()
  await expect(rowOf(page, waitingRow.title)).toContainText('no media')
  await expect(switchOf(page, waitingRow.title)).toBeChecked()
  await expect(chip(goneRow.title, 'Offline')).toBeVisible()
  await expect(rowOf(page, goneRow.title)).toContainText('no such stream')
  await expect(chip(silentRow.title, 'Offline')).toBeVisible()
  await expect(rowOf(page, silentRow.title)).toContainText('server silent')

  await test.step('disabled controls say why, and send nothing', async () => {
    const sent = changesOf(page)
    for (const [title, reason] of [
      [goneRow.title, /does not list this stream/],
      [silentRow.title, /could not be read/],
    ] as const) {
      for (const control of [
        switchOf(page, title),
        rowOf(page, title).getByRole('button', { name: /^Restart / }),
      ]) {
        await expect(control).toBeDisabled()
        await control.hover({ force: true })
        await expect(page.getByRole('tooltip').filter({ hasText: reason })).toBeVisible()
        await control.click({ force: true })
      }
    }
    expect(sent).toEqual([])
  })

  await test.step('the silent server delays no other row, and its own row recovers', async () => {
    await off.put({ disabled: false })
    await expect(chip(offRow.title, 'Offline')).toBeVisible()
    await server.reopen()
    await expect(rowOf(page, silentRow.title)).toContainText('no media')
  })
})

test('CHAN-18 to CHAN-21 Q121 Q122 a manager switches a stream off and on, and restarts it', async ({
  page,
  site,
  complaints,
}) => {
  await using stream = await ownStream(site)
  await using channel = await ownChannel(site, stream.name)
  await signIn(page, site, 'manager')
  await openChannels(page, site)
  const row = rowOf(page, channel.title)
  await expect(row.getByText('Offline', { exact: true })).toBeVisible()
  const base = { serverId: channel.serverId, streamName: stream.name }
  const switched = bodiesOf(page, `POST ${SWITCH}`)
  const restarted = bodiesOf(page, `POST ${RESTART}`)

  await switchOf(page, channel.title).click()
  await dismissNotice(page, 'Status updated successfully!')
  await expect(row.getByText('Disabled', { exact: true })).toBeVisible()
  await expect(switchOf(page, channel.title)).not.toBeChecked()
  expect((await stream.read()).disabled).toBe(true)
  await switchOf(page, channel.title).click()
  await dismissNotice(page, 'Status updated successfully!')
  await expect(row.getByText('Offline', { exact: true })).toBeVisible()
  expect((await stream.read()).disabled).toBe(false)
  expect(switched).toEqual([
    { ...base, data: { disabled: true } },
    { ...base, data: { disabled: false } },
  ])

  await button(row, `Restart ${channel.title}`).click()
  await dismissNotice(page, 'Server restarted successfully!', channel.title)
  expect(restarted).toEqual([base])
  expect(complaints).toEqual([])
})

test('CHAN-19 CHAN-21 a failure is shown, and the switch goes back', async ({ page, site }) => {
  await using stream = await ownStream(site)
  await using channel = await ownChannel(site, stream.name)
  await signIn(page, site, 'manager')
  await openChannels(page, site)
  await expect(rowOf(page, channel.title).getByText('Offline', { exact: true })).toBeVisible()
  const turn = switchOf(page, channel.title)
  await failNext(page, SWITCH)
  await turn.click()
  await dismissNotice(page, 'It failed.')
  await expect(turn).toBeChecked()
  await expect(turn).toBeEnabled()
  expect((await stream.read()).disabled).toBe(false)
  await failNext(page, RESTART)
  await button(page, `Restart ${channel.title}`).click()
  await dismissNotice(page, 'It failed.')
})

test('CHAN-07 CHAN-08 CHAN-40 Q127 a title is changed in place, for every other browser too', async ({
  page,
  site,
  otherOperator,
}) => {
  await using stream = await ownStream(site)
  await using channel = await ownChannel(site, stream.name)
  const path = `/api/channel/${channel.id}`
  const bodies = bodiesOf(page, `PUT ${path}`)
  const other = await otherOperator('monitor')
  await openChannels(other, site)
  await isLive(other)
  await signIn(page, site, 'manager')
  await openChannels(page, site)
  const title = (name: string) => button(rowOf(page, name), name)
  const field = page.getByRole('textbox', { name: `Title of ${channel.title}`, exact: true })

  await test.step('Escape leaves it, and opens nothing', async () => {
    await title(channel.title).dblclick()
    await expect(field).toBeFocused()
    await field.fill('Nothing of this')
    await field.press('Escape')
    await expect(title(channel.title)).toBeFocused()
  })
  await test.step('an empty title is refused, and the field stays', async () => {
    await page.keyboard.press('F2')
    await field.fill('   ')
    await field.press('Enter')
    await expectNotice(page, 'Error updating channel title!', 'must not be empty')
    await expect(field).toBeVisible()
    await field.press('Escape')
    await dismissNotice(page, 'Error updating channel title!', 'must not be empty')
    expect(bodies).toEqual([])
  })
  await test.step('a failure restores the old title', async () => {
    await failNext(page, path)
    await title(channel.title).dblclick()
    await field.fill('Not to be kept')
    await field.press('Enter')
    await dismissNotice(page, 'It failed.')
    await expect(title(channel.title)).toBeVisible()
    expect(bodies.splice(0)).toEqual([{ title: 'Not to be kept', version: 1 }])
  })
  await test.step('Enter saves', async () => {
    const next = `${channel.title} renamed`
    await title(channel.title).dblclick()
    await field.fill(next)
    await field.press('Enter')
    await dismissNotice(page, 'Channel title updated successfully!')
    await expect(rowOf(page, next)).toBeVisible()
    await expect(rowOf(other, next)).toBeVisible()
    expect(bodies).toEqual([{ title: next, version: 1 }])
  })
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('Q128 the list is read every 30 s, and never while a title is being edited', async ({
  page,
  site,
}) => {
  await using stream = await ownStream(site)
  await using channel = await ownChannel(site, stream.name)
  await withoutLive(page)
  await page.clock.install()
  await signIn(page, site, 'manager')
  await openChannels(page, site)
  await expect(rowOf(page, channel.title)).toBeVisible()
  const lists = bodiesOf(page, LIST)
  await button(rowOf(page, channel.title), channel.title).dblclick()
  const field = page.getByRole('textbox', { name: `Title of ${channel.title}`, exact: true })
  await expect(field).toBeFocused()
  await page.clock.runFor(95_000)
  expect(lists).toEqual([])
  await field.press('Escape')
  await expect(field).toHaveCount(0)
  await page.clock.runFor(31_000)
  await expect.poll(() => lists.length).toBeGreaterThan(0)
})
