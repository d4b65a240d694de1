/**
 * Who may do what to a channel: refused in the list and by the API, and removing a channel from the
 * list.
 */
import {
  changeStreamStatus,
  readPlayback,
  readStreams,
  removeChannel,
  renameChannel,
  restartStream,
  selectInput,
} from '@trunkline/contract/channels/channel.calls'
import { NOT_AUTHORIZED } from '@trunkline/contract/roles'
import { callApi, type Client } from '@trunkline/testbed/api-client'
import type { Page } from '@playwright/test'
import {
  BELOW_MANAGER,
  changesOf,
  clientOf,
  openChannels,
  outcomeOf,
  ownChannel,
  ownStream,
  question,
  switchOf,
  dismissNotice,
} from '../channel.steps.ts'
import { button, rowOf } from '../page.steps.ts'
import { expect, signIn, test } from '../site.fixture.ts'

test.use({ demoEncoder: 'stopped' })

test('CHAN-22 ERR-28 below manager level the action is refused without a call; the API refuses too', async ({
  page,
  site,
  complaints,
}) => {
  await using stream = await ownStream(site)
  await using channel = await ownChannel(site, stream.name)
  await signIn(page, site, 'monitor')
  await openChannels(page, site)
  const row = rowOf(page, channel.title)
  await expect(row.getByText('Offline', { exact: true })).toBeVisible()
  const sent = changesOf(page)
  await switchOf(page, channel.title).click()
  await dismissNotice(page, NOT_AUTHORIZED)
  await expect(switchOf(page, channel.title)).toBeChecked()
  await button(row, `Restart ${channel.title}`).click()
  await dismissNotice(page, NOT_AUTHORIZED)
  await button(row, channel.title).dblclick()
  await dismissNotice(page, NOT_AUTHORIZED)
  await button(row, channel.title).focus()
  await page.keyboard.press('F2')
  await dismissNotice(page, NOT_AUTHORIZED)
  await expect(page.getByRole('textbox', { name: /^Title of/ })).toHaveCount(0)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByText(/Remove from list/)).toHaveCount(0)
  expect(sent).toEqual([])
  expect(complaints).toEqual([])
  for (const person of BELOW_MANAGER) {
    const client = await clientOf(site, person)
    expect(await outcomesOf(client, channel), person).toEqual({
      switch: 403,
      restart: 403,
      rename: 403,
      select: 403,
      remove: 403,
      list: 403,
      detail: 'done',
      playback: 'done',
    })
  }
  expect((await stream.read()).disabled).toBe(false)
})

test('ROLE-08 objects of another group are not found', async ({ site }) => {
  await using stream = await ownStream(site)
  await using channel = await ownChannel(site, stream.name)
  const client = await clientOf(site, 'manager2')
  expect(await outcomesOf(client, channel)).toEqual({
    switch: 404,
    restart: 404,
    rename: 404,
    select: 404,
    remove: 404,
    list: 404,
    detail: 404,
    playback: 404,
  })
})

/** What the API answers to each call about that channel. */
async function outcomesOf(
  client: Client,
  { id: channelId, serverId, streamName }: { id: string; serverId: string; streamName: string },
) {
  const base = { serverId, streamName }
  const url = 'udp://127.0.0.1:1'
  return {
    switch: await outcomeOf(
      callApi(client, changeStreamStatus, { body: { ...base, data: { disabled: true } } }),
    ),
    restart: await outcomeOf(callApi(client, restartStream, { body: base })),
    rename: await outcomeOf(
      callApi(client, renameChannel, { params: { channelId }, body: { title: 'No' } }),
    ),
    select: await outcomeOf(callApi(client, selectInput, { body: { ...base, index: 0, url } })),
    remove: await outcomeOf(callApi(client, removeChannel, { params: { channelId } })),
    list: await outcomeOf(callApi(client, readStreams, { query: { serverId } })),
    detail: await outcomeOf(callApi(client, readStreams, { query: base })),
    playback: await outcomeOf(callApi(client, readPlayback, { params: { channelId } })),
  }
}

test('Q126 a manager removes a channel from the list; its stream keeps running', async ({
  page,
  site,
}) => {
  await using stream = await ownStream(site)
  await using channel = await ownChannel(site, stream.name)
  await signIn(page, site, 'manager')
  await openChannels(page, site)
  const sent = changesOf(page)
  const ask = async () => {
    await openRowMenu(page, channel.title)
    await page.getByRole('menuitem', { name: /^Remove from list/ }).click()
    await expect(question(page)).toContainText(channel.title)
  }
  await ask()
  await button(question(page), 'Keep channel').click()
  await expect(question(page)).toHaveCount(0)
  expect(sent).toEqual([])
  await ask()
  await question(page)
    .getByRole('button', { name: /^Remove/ })
    .click()
  await expect(rowOf(page, channel.title)).toHaveCount(0)
  expect(sent).toEqual([`DELETE /api/channel/${channel.id}`])
  expect((await stream.read()).name).toBe(stream.name)
})

async function openRowMenu(page: Page, title: string): Promise<void> {
  await button(rowOf(page, title), `More for ${title}`).click()
}
