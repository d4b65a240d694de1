/** The encoder manager: records are added, changed, given to editors, switched off and removed. */
import type { Page } from '@playwright/test'
import { addEncoder, removeEncoder } from '@trunkline/contract/encoders/encoder.calls'
import { callApi, CallFailed } from '@trunkline/testbed/api-client'
import type { DemoSite } from '@trunkline/testbed/demo'
import { answer, button, dialogOf, expectNotice, openPage, rowOf } from './page.steps.ts'
import { ownTitle } from './people.steps.ts'
import { expect, otherOperator, signIn, test } from './site.fixture.ts'

const ENCODERS = '/dashboard/managerEncoder'
const DEMO = 'Demo camera'

async function choose(page: Page, title: string, item: string): Promise<void> {
  await button(page, `More for ${title}`).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
  // It fades: the next one must not be taken for it.
  await expect(page.getByRole('menu')).toHaveCount(0)
}

interface OwnEncoder extends AsyncDisposable {
  id: string
  title: string
}

/** In North, on a port of this machine where nobody answers. */
async function ownEncoder(site: DemoSite): Promise<OwnEncoder> {
  const title = ownTitle('encoder')
  const { id } = await callApi(site.client, addEncoder, {
    body: {
      title,
      ip: '127.0.0.1',
      port: 1099,
      apiKey: 'test-key-0123456789',
      groupId: site.ids.groupIds['North'] ?? '',
    },
  })
  return {
    id,
    title,
    async [Symbol.asyncDispose]() {
      try {
        await callApi(site.client, removeEncoder, { params: { id } })
      } catch (error) {
        if (!(error instanceof CallFailed) || error.httpStatus !== 404) throw error
      }
    },
  }
}

test('ENC-14 ENC-16 ENC-18 ENC-21 ENC-23 an encoder is added, renamed and removed', async ({
  page,
  site,
  complaints,
}) => {
  const title = ownTitle('encoder')
  await signIn(page, site, 'superadmin')
  await openPage(page, site, ENCODERS, 'Encoders')
  await button(page, 'Add encoder').click()
  const add = dialogOf(page, 'Add encoder')
  await add.getByLabel('Title', { exact: true }).fill(title)
  await button(add, 'Add encoder').click()
  await expectNotice(page, 'Please check required fields', '')
  await expect(add.getByLabel('Title', { exact: true })).toHaveValue(title)
  await expect(add.getByLabel('Port', { exact: true })).toHaveValue('8000')
  await add.getByLabel('IP', { exact: true }).fill('127.0.0.1')
  await add.getByLabel('Port', { exact: true }).fill('1098')
  await add.getByLabel('API key', { exact: true }).fill('test-key-0123456789')
  await add.getByRole('combobox', { name: 'Group', exact: true }).selectOption('North')
  await button(add, 'Add encoder').click()
  await expectNotice(page, 'Success add new encoder', title)
  await expect(rowOf(page, title).getByText('Not Configured', { exact: true })).toBeVisible()

  await choose(page, title, 'Edit Encoder')
  const edit = dialogOf(page, 'Edit encoder')
  await edit.getByLabel('Title', { exact: true }).fill(`${title} b`)
  await button(edit, 'Save').click()
  await expectNotice(page, 'Success updated', `${title} b`)

  await choose(page, `${title} b`, 'Remove Encoder')
  await answer(page, `Remove ${title} b, with its configuration.`, 'Remove encoder')
  await expectNotice(page, 'Success deleted', `${title} b`)
  await expect(rowOf(page, `${title} b`)).toHaveCount(0)
  expect(complaints).toEqual([])
})

test('ENC-15 ENC-29 ENC-30 an assigned editor sees the encoder from then on, and no longer when taken off', async ({
  page,
  site,
  browser,
}) => {
  await using encoder = await ownEncoder(site)
  const editor = await otherOperator(browser, site, 'editor')
  await openPage(editor, site, ENCODERS, 'Encoders')
  await expect(rowOf(editor, DEMO)).toBeVisible()
  await expect(rowOf(editor, encoder.title)).toHaveCount(0)

  await signIn(page, site, 'manager')
  await openPage(page, site, ENCODERS, 'Encoders')
  const assign = async () => {
    await choose(page, encoder.title, 'Add Users')
    const dialog = dialogOf(page, 'Select Users')
    await dialog.getByRole('checkbox', { name: /^Demo Editor/ }).click()
    await button(dialog, 'Save').click()
    await expectNotice(page, 'Success updated', encoder.title)
  }
  await assign()
  await expect(rowOf(editor, encoder.title)).toBeVisible()
  await assign()
  await expect(rowOf(editor, encoder.title)).toHaveCount(0)
})

test('ENC-11 ENC-17 STATE-09 switched off and on, seen by another operator; with a feeder it stays', async ({
  page,
  site,
  browser,
}) => {
  await using encoder = await ownEncoder(site)
  const other = await otherOperator(browser, site, 'admin')
  await openPage(other, site, ENCODERS, 'Encoders')
  await signIn(page, site, 'superadmin')
  await openPage(page, site, ENCODERS, 'Encoders')
  await choose(page, encoder.title, 'Disable')
  await expect(rowOf(other, encoder.title).getByText('Disabled', { exact: true })).toBeVisible()
  await choose(page, encoder.title, 'Enable')
  await expect(
    rowOf(other, encoder.title).getByText('Not Configured', { exact: true }),
  ).toBeVisible()

  await choose(page, DEMO, 'Remove Encoder')
  await expectNotice(page, 'Please remove first feeder.', DEMO)
  await expect(rowOf(page, DEMO)).toBeVisible()
})

test('ENC-26 rows I J L M N: a manager is shown no key, an editor and a monitor no menu', async ({
  page,
  site,
  browser,
}) => {
  await signIn(page, site, 'manager')
  await openPage(page, site, ENCODERS, 'Encoders')
  await button(page, 'Add encoder').click()
  const add = dialogOf(page, 'Add encoder')
  await expect(add.getByLabel('Title', { exact: true })).toBeVisible()
  await expect(add.getByLabel('API key', { exact: true })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(add).toBeHidden()
  for (const local of ['editor', 'monitor']) {
    const looker = await otherOperator(browser, site, local)
    await openPage(looker, site, ENCODERS, 'Encoders')
    await expect(rowOf(looker, DEMO)).toBeVisible()
    await expect(button(looker, 'Add encoder')).toHaveCount(0)
    await expect(button(looker, `More for ${DEMO}`)).toHaveCount(0)
  }
})
