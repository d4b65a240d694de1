/** The list of channels: each chip, switch and restart, on streams without a picture. */
import {
  changesOf,
  openChannels,
  ownChannel,
  ownChannelServer,
  ownStream,
  switchOf,
  dismissNotice,
} from '../channel.steps.ts'
import { bodiesOf } from '../encoder.steps.ts'
import { button, rowOf } from '../page.steps.ts'
import { expect, signIn, test } from '../site.fixture.ts'

test.use({ demoEncoder: 'stopped' })

const SWITCH = '/api/channel/change_stream_status'
const RESTART = '/api/channel/stop_stream'

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
    await expect(chip(offRow.title, 'Starting')).toBeVisible()
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
