/** The forms of inputs and outputs on the real thing: what is saved there runs on the host. */
import type { Page } from '@playwright/test'
import { readInput, removeInput } from '@trunkline/contract/contributions/input.calls'
import { removeOutput } from '@trunkline/contract/contributions/output.calls'
import { callApi } from '@trunkline/testbed/api-client'
import type { DemoSite } from '@trunkline/testbed/demo'
import { expectNoFindingInLooks, LOOKS } from '../axe.steps.ts'
import { answer, button, dialogOf, expectNotice, openPage, rowOf, tabTo } from '../page.steps.ts'
import { expect, signIn, test } from '../site.fixture.ts'

test.use({ demoEncoder: 'stopped' })

const CONTRIBUTIONS = '/dashboard/contribution'

/** The id of what the form has just saved, out of the answer of its call. */
async function savedBy(page: Page, path: string, save: () => Promise<void>): Promise<string> {
  const answered = page.waitForResponse(
    (response) =>
      response.request().method() === 'POST' && new URL(response.url()).pathname === path,
  )
  await save()
  const { id } = (await (await answered).json()) as { id: string }
  return id
}

async function addInput(page: Page, site: DemoSite, title: string) {
  await openPage(page, site, CONTRIBUTIONS, 'Contributions')
  await button(page, 'Add Input').click()
  const chooser = dialogOf(page, 'Add Input')
  await button(chooser, 'Continue').click()
  await expect(chooser.getByText('This field is required')).toBeVisible()
  await chooser.getByLabel('Server', { exact: true }).selectOption({ label: 'Demo gateway' })
  await button(chooser, 'Continue').click()
  await expect(page.getByRole('heading', { name: 'Contribution Config' })).toBeVisible()
  await expect(page.getByLabel('Multicast', { exact: true })).toHaveValue(/^239\./)
  await page.getByLabel('Title', { exact: true }).fill(title)
  await page.getByLabel('Latency', { exact: true }).fill('300')
  await page.getByRole('button', { name: /^Use \d+$/ }).click()
  return savedBy(page, '/api/contribution', async () => button(page, 'Save').click())
}

async function addOutput(page: Page, site: DemoSite, input: string, title: string) {
  await openPage(page, site, `${CONTRIBUTIONS}?tab=outputs`, 'Contributions')
  await button(page, 'Add Output').click()
  const chooser = dialogOf(page, 'Add Output')
  await chooser.getByLabel('Input', { exact: true }).selectOption({ label: input })
  await button(chooser, 'Continue').click()
  await expect(page.getByRole('heading', { name: 'Output Configuration' })).toBeVisible()
  await page.getByLabel('Title', { exact: true }).fill(title)
  await page.getByRole('group', { name: 'Mode' }).getByRole('button', { name: 'Listen' }).click()
  await expect(page.getByLabel('Port', { exact: true })).toHaveValue(/^\d{4,5}$/)
  return savedBy(page, '/api/contribution/output', async () => button(page, 'Save').click())
}

async function startIn(page: Page, title: string): Promise<void> {
  const row = rowOf(page, title)
  await button(row, `Start ${title}`).click()
  await expect(row.getByText('Running', { exact: true })).toBeVisible()
}

test('CON-IN-28 CON-OUT-11 IN-FORM-26 OUT-FORM-08 OUT-FORM-18 an SRT input and an output are added in Listen, and run', async ({
  page,
  site,
}) => {
  await signIn(page, site, 'manager')
  const inputId = await addInput(page, site, 'Finish line')
  await expectNotice(page, 'Contribution added successfully', 'Finish line')
  await startIn(page, 'Finish line')

  const outputId = await addOutput(page, site, 'Finish line', 'to Playout')
  await expectNotice(page, 'Output added successfully', 'to Playout')
  await expect(page.getByRole('tab', { name: /^Outputs/ })).toHaveAttribute('aria-selected', 'true')
  await startIn(page, 'to Playout')

  await test.step('IN-FORM-27 Q178 an edit restarts nothing, and says that it waits for a restart', async () => {
    const path = `/dashboard/${site.ids.acantsId}/${site.ids.groupIds['North']}/contribution/${inputId}`
    await openPage(page, site, path, 'Contribution Config')
    await page.getByLabel('Latency', { exact: true }).fill('400')
    await expect(page.getByText('Saving restarts nothing.')).toBeVisible()
    await button(page, 'Save').click()
    await expectNotice(page, 'Contribution updated successfully', 'Finish line')
    await expect(rowOf(page, 'Finish line').getByText('restart to apply')).toBeVisible()
  })

  await test.step('a refused save names the field, offers a free port, and changes nothing', async () => {
    const before = await callApi(site.client, readInput, { params: { id: inputId } })
    const path = `/dashboard/${site.ids.acantsId}/${site.ids.groupIds['North']}/contribution/${inputId}`
    await openPage(page, site, path, 'Contribution Config')
    const port = page.getByLabel('Port', { exact: true })
    await port.fill(String(site.plan.ports.feederToInput))
    await button(page, 'Save').click()
    await expect(port).toHaveAttribute('aria-invalid', 'true')
    await expect(port).toBeFocused()
    const after = await callApi(site.client, readInput, { params: { id: inputId } })
    expect(after.data).toEqual(before.data)
    await page.getByRole('button', { name: /^Use \d+$/ }).click()
    await expect(port).not.toHaveAttribute('aria-invalid', 'true')
    await page.getByRole('link', { name: 'Contributions' }).last().click()
    await answer(page, 'not saved', 'Leave without saving')
    await expect(rowOf(page, 'Finish line').getByText('Running', { exact: true })).toBeVisible()
  })

  await test.step('Q89 the browser’s own Back also asks before discarding changes', async () => {
    await openPage(page, site, CONTRIBUTIONS, 'Contributions')
    await button(rowOf(page, 'Finish line'), 'More for Finish line').click()
    await page.getByRole('menuitem', { name: 'Edit', exact: true }).click()
    await page.getByLabel('Title', { exact: true }).fill('Another title')
    await page.goBack({ waitUntil: 'commit' }).catch(() => null)
    await answer(page, 'not saved', 'Stay here')
    await expect(page.getByLabel('Title', { exact: true })).toHaveValue('Another title')
    await button(page, 'Discard').click()
    await answer(page, 'Discard 1 change', 'Discard')
    await page.goBack()
    await expect(page.getByRole('heading', { name: 'Contributions' })).toBeVisible()
  })

  await callApi(site.client, removeOutput, { params: { id: outputId } })
  await callApi(site.client, removeInput, { params: { id: inputId } })
})

test('an output is made, saved and started without a mouse', async ({ page, site }) => {
  await signIn(page, site, 'manager')
  await openPage(page, site, `${CONTRIBUTIONS}?tab=outputs`, 'Contributions')
  await tabTo(page, button(page, 'Add Output'))
  await page.keyboard.press('Enter')
  const chooser = dialogOf(page, 'Add Output')
  const input = chooser.getByLabel('Input', { exact: true })
  await expect(input.getByRole('option', { name: 'Demo feed' })).toBeAttached()
  await tabTo(page, input)
  await page.keyboard.type('Demo feed')
  await tabTo(page, button(chooser, 'Continue'))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Output Configuration' })).toBeVisible()
  await tabTo(page, page.getByLabel('Title', { exact: true }))
  await page.keyboard.type('by keyboard')
  const mode = page.getByRole('group', { name: 'Mode' })
  await tabTo(page, button(mode, 'Listen'))
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Port', { exact: true })).toHaveValue(/^\d{4,5}$/)
  await tabTo(page, button(page, 'Save'))
  const id = await savedBy(page, '/api/contribution/output', async () =>
    page.keyboard.press('Enter'),
  )
  await tabTo(page, button(page, 'Start by keyboard'))
  await page.keyboard.press('Enter')
  const row = rowOf(page, 'by keyboard')
  await expect(row.getByText('Running', { exact: true })).toBeVisible()
  await callApi(site.client, removeOutput, { params: { id } })
})

test('Save stays visible while a long form scrolls, and does not cover the focus', async ({
  page,
  site,
}) => {
  await page.setViewportSize({ width: 1280, height: 600 })
  await signIn(page, site, 'admin')
  const path = `/dashboard/${site.ids.acantsId}/output/${site.ids.inputId}`
  await openPage(page, site, path, 'Output Configuration')
  await button(page.getByRole('group', { name: 'Output type' }), 'RIST').click()
  const last = page.getByRole('switch', { name: 'Send over a second path' })
  await last.click()
  await page.getByLabel('Second port', { exact: true }).scrollIntoViewIfNeeded()
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
  await expect(button(page, 'Save')).toBeInViewport({ ratio: 1 })
  await button(page, 'Save').click()
  const title = page.getByLabel('Title', { exact: true })
  await expect(title).toBeFocused()
  const [head, field] = await Promise.all([button(page, 'Save').boundingBox(), title.boundingBox()])
  expect(field?.y ?? 0).toBeGreaterThan((head?.y ?? 0) + (head?.height ?? 0))
})

test('axe finds nothing on the forms, dark and light, 1440 and 390 wide, and Save is visible', async ({
  page,
  site,
  complaints,
}) => {
  await signIn(page, site, 'admin')
  const gateway = site.ids.acantsId
  const forms = [
    [`/dashboard/${gateway}/${site.ids.groupIds['North']}/contribution/new`, 'Contribution Config'],
    [`/dashboard/${gateway}/output/${site.ids.inputId}`, 'Output Configuration'],
  ] as const
  for (const [path, title] of forms) {
    for (const tab of ['settings', 'encryption', 'advanced']) {
      await openPage(page, site, `${path}?tab=${tab}`, title)
      await expectNoFindingInLooks(page, LOOKS, async () =>
        expect(button(page, 'Save')).toBeInViewport(),
      )
    }
  }
  expect(complaints).toEqual([])
})
