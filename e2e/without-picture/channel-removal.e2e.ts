/** Removing a channel from the list. */
import type { Page } from '@playwright/test'
import { changesOf, openChannels, ownChannel, ownStream, question } from '../channel.steps.ts'
import { button, rowOf } from '../page.steps.ts'
import { expect, signIn, test } from '../site.fixture.ts'

test.use({ demoEncoder: 'stopped' })

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
