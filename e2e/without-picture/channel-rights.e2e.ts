/** What is refused in the list of channels below manager level, and removing a channel from the list. */
import { NOT_AUTHORIZED } from '@trunkline/contract/roles'
import type { Page } from '@playwright/test'
import {
  changesOf,
  openChannels,
  ownChannel,
  ownStream,
  question,
  switchOf,
  dismissNotice,
} from '../channel.steps.ts'
import { button, rowOf } from '../page.steps.ts'
import { expect, signIn, test } from '../site.fixture.ts'

test.use({ demoEncoder: 'stopped' })

test('CHAN-22 ERR-28 below manager level the action is refused without a call', async ({
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
  expect((await stream.read()).disabled).toBe(false)
})

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
