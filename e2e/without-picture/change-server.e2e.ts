/** Bulk change of the server on the real thing: a second host agent takes over what the first one runs. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { readLive } from '@trunkline/contract/fleet/fleet.calls'
import { callApi } from '@trunkline/testbed/api-client'
import type { DemoSite } from '@trunkline/testbed/demo'
import { expectNoFinding } from '../axe.steps.ts'
import { dialogOf, openPage, rowOf } from '../page.steps.ts'
import {
  addRunningInput,
  addRunningOutput,
  MISSING_IP,
  openSecondGateway,
  removeLink,
  SECOND,
} from '../second-gateway.steps.ts'
import { expect, signIn, test } from '../site.fixture.ts'

test.use({ demoEncoder: 'stopped' })

const CONTRIBUTIONS = '/dashboard/contribution'
const TITLE = 'Harbour camera'
const FRENCH =
  'Une erreur est survenue lors du changement de serveur. Veuillez réessayer ou contacter le support.'

/** By process: which run, and since when. */
async function runsOf(site: DemoSite, ids: readonly string[]): Promise<[number | null, string][]> {
  const { data } = await callApi(site.client, readLive, {})
  return ids.map((id) => {
    const program = data.programs.find((program) => program.id === id)
    return [program?.pid ?? null, program?.state ?? '']
  })
}

/** What the demo's own agent has a definition of. */
function isDefined({ dataDir }: DemoSite, programId: string): boolean {
  return existsSync(join(dataDir, 'agent', 'programs', `${programId}.json`))
}

/** By keys alone, from the row to the dialog. */
async function openDialog(page: Page): Promise<void> {
  await rowOf(page, TITLE).getByRole('checkbox').focus()
  await page.keyboard.press('Space')
  await page.getByRole('button', { name: /^Change server/ }).focus()
  await page.keyboard.press('Enter')
  await expect(dialogOf(page, 'Change server')).toBeVisible()
}

/** The fields in their order; the keyboard ends on the button, and presses it. */
async function moveTo(page: Page, server: string, adapter: string, keep: boolean): Promise<void> {
  const dialog = dialogOf(page, 'Change server')
  const newServer = dialog.getByLabel('New server', { exact: true })
  await expect(newServer).toBeFocused()
  await expect(newServer.getByRole('option', { name: server, exact: true })).toBeAttached()
  await page.keyboard.type(server)
  await expect(newServer.locator('option:checked')).toHaveText(server)
  await page.keyboard.press('Tab')
  await page.keyboard.type(adapter)
  await expect(dialog.getByLabel('Local IP').locator('option:checked')).toContainText(adapter)
  await page.keyboard.press('Tab')
  if (keep) await page.keyboard.press('ArrowDown')
  const name = keep ? /Keep on the old server/ : /Remove from the old server/
  await expect(dialog.getByRole('radio', { name })).toBeChecked()
  await page.keyboard.press('Enter')
}

test('CON-IN-38 CON-IN-39 Q144 Q146 an input and its output move to a second server and back; a failed move leaves them running', async ({
  page,
  site,
}) => {
  await using second = await openSecondGateway(site)
  const hall = await addRunningInput(site, 'Hall')
  const { id: inputId } = await addRunningInput(site, TITLE)
  const outputId = await addRunningOutput(site, 'to Hall', inputId, hall.port)
  const ids = [inputId, outputId]
  const programIds = [`input-${inputId}`, `output-${outputId}`]
  const both = (state: string) => Object.fromEntries(programIds.map((id) => [id, state]))
  await signIn(page, site, 'manager')
  await openPage(page, site, CONTRIBUTIONS, 'Contributions')
  await expect(rowOf(page, TITLE).getByText('Running', { exact: true })).toBeVisible()
  const dialog = dialogOf(page, 'Change server')
  const results = dialog.getByRole('list', { name: 'Results' })

  await test.step('an address that the new server does not have: nothing changes, and the reason is shown', async () => {
    const before = await runsOf(site, ids)
    await openDialog(page)
    await moveTo(page, SECOND, 'eth9', false)
    await expect(page.getByText(FRENCH)).toBeVisible()
    await expect(results.getByText('Not moved')).toBeVisible()
    await expect(results.getByText(`could not be started on ${SECOND}`)).toBeVisible()
    await expect(results.getByText(MISSING_IP)).toBeVisible()
    await expectNoFinding(page)
    await page.keyboard.press('Enter')
    await expect(dialog).toBeHidden()
    expect(await runsOf(site, ids)).toEqual(before)
    await expect.poll(second.programs).toEqual({})
    await page.keyboard.press('Escape')
  })

  await test.step('kept on the old server: both run on the new one, their stopped definitions stay', async () => {
    const before = await runsOf(site, ids)
    await openDialog(page)
    const plan = dialog.getByRole('list', { name: 'What happens to each input' })
    await expect(plan.getByText('with its output')).toBeVisible()
    await expectNoFinding(page)
    await moveTo(page, SECOND, 'own', true)
    await expect(results.getByText('Moved', { exact: true })).toBeVisible()
    await expect(results.getByText('Its callers must redial')).toBeVisible()
    expect(second.programs()).toEqual(both('running'))
    const after = await runsOf(site, ids)
    expect(after.map(([, state]) => state)).toEqual(['running', 'running'])
    expect(after.some(([pid]) => before.some(([old]) => old === pid))).toBe(false)
    await expect
      .poll(() => before.filter(([pid]) => pid !== null && existsSync(`/proc/${pid}`)))
      .toEqual([])
    expect(programIds.map((id) => isDefined(site, id))).toEqual([true, true])
    await page.keyboard.press('Enter')
    await expect(dialog).toBeHidden()
    await expect(rowOf(page, TITLE).getByText(SECOND)).toBeVisible()
    await expect(rowOf(page, TITLE).getByText('Running', { exact: true })).toBeVisible()
    await page.keyboard.press('Escape')
  })

  await test.step('removed from it: back on the first server, and the second has nothing of it', async () => {
    await openDialog(page)
    await moveTo(page, 'Demo gateway', 'lo 127.0.0.1', false)
    await expect(results.getByText('Moved', { exact: true })).toBeVisible()
    await expect.poll(second.programs).toEqual({})
    await page.keyboard.press('Enter')
    await expect(rowOf(page, TITLE).getByText('Demo gateway')).toBeVisible()
    await expect(rowOf(page, TITLE).getByText('Running', { exact: true })).toBeVisible()
    expect((await runsOf(site, ids)).map(([, state]) => state)).toEqual(['running', 'running'])
  })

  await removeLink(site, [inputId, hall.id], [outputId])
})
