/** Named settings of encoders, and copies of encoders: from one operator's click to another's screen. */
import type { Page } from '@playwright/test'
import {
  findEncoder,
  listEncoders,
  removeEncoder,
} from '@trunkline/contract/encoders/encoder.calls'
import { listTemplates, removeTemplate } from '@trunkline/contract/encoders/template.calls'
import { callApi } from '@trunkline/testbed/api-client'
import type { DemoSite } from '@trunkline/testbed/demo'
import { demoEncoderConfig } from '@trunkline/testbed/demo-site'
import { ownLiveEncoder } from '../encoder.steps.ts'
import {
  button,
  dialogOf,
  expectNotice,
  isLive,
  openPage,
  requestsOf,
  rowOf,
} from '../page.steps.ts'
import { ownTitle } from '../people.steps.ts'
import { expect, signIn, test } from '../site.fixture.ts'

test.use({ demoEncoder: 'stopped' })

const ENCODERS = '/dashboard/managerEncoder'
/** Not what the demo configuration has. */
const KEYINT = 48

async function openConfig(page: Page, site: DemoSite, id: string): Promise<void> {
  await openPage(page, site, `/dashboard/edit_encoder/${id}`, 'Configure Encoder')
  await isLive(page)
}

async function openTemplates(page: Page) {
  await button(page, 'Templates').click()
  return page.getByRole('menu', { name: 'Templates', exact: true })
}

async function chooseTemplate(page: Page, item: string): Promise<void> {
  const menu = await openTemplates(page)
  await menu.getByRole('menuitem', { name: item, exact: true }).click()
  await expect(page.getByRole('menu')).toHaveCount(0)
}

async function keyintOf(site: DemoSite, id: string): Promise<number | undefined> {
  const { data } = await callApi(site.client, findEncoder, { params: { id } })
  return data.config?.['video-stream'].keyint
}

/** An encoder whose settings are not the demo's. */
async function ownStyledEncoder(site: DemoSite, card: number) {
  const { 'video-stream': video } = demoEncoderConfig(site.plan)
  return ownLiveEncoder(site, card, { 'video-stream': { ...video, keyint: KEYINT } })
}

async function removeTemplates(site: DemoSite, title: string): Promise<void> {
  const { data } = await callApi(site.client, listTemplates, {})
  for (const { id } of data.filter((item) => item.title === title)) {
    await callApi(site.client, removeTemplate, { params: { id } })
  }
}

test('templates: a manager saves one encoder’s settings as a template and gives them to another', async ({
  page,
  site,
  otherOperator,
  complaints,
}) => {
  await using from = await ownStyledEncoder(site, 20)
  await using to = await ownLiveEncoder(site, 21)
  const title = ownTitle('template')
  await signIn(page, site, 'manager')
  const other = await otherOperator('admin')
  await openConfig(other, site, to.id)

  await openConfig(page, site, from.id)
  await chooseTemplate(page, 'Save as template…')
  const save = dialogOf(page, 'Save as template')
  await save.getByLabel('Title', { exact: true }).fill(title)
  await button(save, 'Save template').click()
  await expectNotice(page, 'Template saved', title)
  await expect(save).toHaveCount(0)

  // Another operator's menu has it without a reload.
  const menu = await openTemplates(other)
  await expect(menu.getByRole('menuitem', { name: `${title} North`, exact: true })).toBeVisible()

  await openConfig(page, site, to.id)
  const keyint = page.getByLabel('Keyint', { exact: true })
  await expect(keyint).not.toHaveValue(String(KEYINT))
  const sent = requestsOf(page, 'PUT ')
  await chooseTemplate(page, `${title} North`)
  await expectNotice(page, 'Template applied', title)
  await expect(keyint).toHaveValue(String(KEYINT))
  await expect(page.getByText(/^\d+ unsaved changes?$/)).toBeVisible()
  expect(sent).toEqual([])
  expect(await keyintOf(site, to.id)).not.toBe(KEYINT)
  await button(page, 'Save').click()
  await expectNotice(page, 'Success updated', '')
  expect(await keyintOf(site, to.id)).toBe(KEYINT)
  expect(complaints).toEqual([])
  await removeTemplates(site, title)
})

test('clone: a copy on the first free card, its output on a free port, is in everybody’s list', async ({
  page,
  site,
  otherOperator,
}) => {
  await using encoder = await ownLiveEncoder(site, 25)
  const watcher = await otherOperator('monitor')
  const copyTitle = `${encoder.title} copy`
  for (const each of [page, watcher]) {
    if (each === page) await signIn(page, site, 'manager')
    await openPage(each, site, ENCODERS, 'Encoders')
    await isLive(each)
    await each.getByRole('searchbox', { name: 'Search encoders', exact: true }).fill(encoder.title)
    await each.keyboard.press('Enter')
    await expect(rowOf(each, encoder.title)).toBeVisible()
  }
  await button(page, `More for ${encoder.title}`).click()
  await page.getByRole('menuitem', { name: 'Clone', exact: true }).click()
  await expect(page.getByRole('menu')).toHaveCount(0)
  const dialog = dialogOf(page, 'Clone encoder')
  await expect(dialog.getByLabel('Title', { exact: true })).toHaveValue(copyTitle)
  const card = dialog.getByRole('combobox', { name: 'Card index', exact: true })
  await expect(card.getByRole('option', { name: /Test pattern/ }).first()).toBeAttached()
  const chosen = Number(await card.inputValue())
  await button(dialog, 'Clone encoder').click()
  await expectNotice(page, 'Success add new encoder', copyTitle)
  await expect(dialog.getByText('Output 1 of the copy sends to')).toBeVisible()
  await button(dialog, 'Done').click()
  await expect(dialog).toHaveCount(0)
  await expect(rowOf(page, copyTitle)).toBeVisible()
  await expect(rowOf(watcher, copyTitle)).toBeVisible()

  const query = { searchValue: copyTitle }
  const { encoders } = await callApi(site.client, listEncoders, { query })
  const [copy] = encoders
  expect(copy?.config?.['card-idx']).toBe(chosen)
  expect(copy?.config?.output.map(({ target }) => target)).toEqual(['udp://127.0.0.1:19427?ttl=12'])
  await callApi(site.client, removeEncoder, { params: { id: copy?._id ?? '' } })
})
