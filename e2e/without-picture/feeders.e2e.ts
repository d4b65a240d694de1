/** Feeders of an encoder on the real thing: a real target that comes and goes. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { freeUdpPort } from '@trunkline/testbed/free-port'
import { ownLiveEncoder } from '../encoder.steps.ts'
import { answer, button, dialogOf, expectNotice, openPage, rowOf } from '../page.steps.ts'
import { expect, openDashboard, signIn, test } from '../site.fixture.ts'

test.use({ demoEncoder: 'stopped' })

/** A card that no other test of the demo host takes. */
const CARD = 5

/** What a gateway does: listens by SRT, and takes what comes. */
function openTarget(port: number): AsyncDisposable & { stop: () => Promise<void> } {
  const url = `srt://127.0.0.1:${port}?mode=listener`
  const process = spawn('srt-live-transmit', [url, 'file://con'], { stdio: 'ignore' })
  const gone = once(process, 'exit')
  const stop = async () => {
    process.kill('SIGTERM')
    await gone
  }
  return { stop, [Symbol.asyncDispose]: stop }
}

test('FEED-12 FEED-20 FEED-24 CFG-05 a feeder is added, carries the stream, loses its target, is deleted', async ({
  page,
  site,
}) => {
  await using camera = await ownLiveEncoder(site, CARD)
  const targetPort = await freeUdpPort(27_100, new Set())
  const inputPort = await freeUdpPort(27_300, new Set())
  await signIn(page, site, 'manager')
  const address = `/dashboard/editEncoder/${camera.id}`
  await openPage(page, site, `${address}?tab=feeder`, 'Configure Encoder')

  await button(page, 'Add feeder').click()
  const dialog = dialogOf(page, 'Add feeder')
  const target = dialog.getByLabel('Target port', { exact: true })
  await dialog.getByLabel('Title', { exact: true }).fill('to a real target')
  await dialog.getByLabel('Server', { exact: true }).selectOption({ label: 'Demo gateway' })
  // The lowest one that neither a link nor the host itself has.
  await expect(target).toHaveValue(/^\d+$/)
  expect(Object.values(site.plan.ports).map(String)).not.toContain(await target.inputValue())
  await dialog.getByLabel('Target IP', { exact: true }).fill('127.0.0.1')
  await target.fill(String(targetPort))
  await dialog.getByLabel('Input port', { exact: true }).fill(String(inputPort))
  await dialog.getByLabel('Latency', { exact: true }).fill('300')
  await button(dialog, 'Add feeder').click()
  await expectNotice(page, 'Feeder updated Successfully', 'to a real target')
  await expect(dialog).toHaveCount(0)

  // Its detail, a row of its own, names it in the signal path.
  const row = rowOf(page, 'to a real target').first()
  await expect(row.getByText('Stopped', { exact: true })).toBeVisible()
  await openPage(page, site, address, 'Configure Encoder')
  await expect(page.getByRole('tab', { name: /^Feeder/ })).toHaveAttribute('aria-selected', 'true')

  await openPage(page, site, '/', 'Welcome to Trunkline')
  await button(page, `Start ${camera.title}`).click()
  await expect(
    page.getByRole('article', { name: camera.title }).getByText('Running', { exact: true }),
  ).toBeVisible()
  await openPage(page, site, `${address}?tab=feeder`, 'Configure Encoder')
  await using listener = openTarget(targetPort)
  await button(row, 'Start to a real target').click()
  await button(row, 'Expand to a real target').click()
  const targetStatus = page.getByRole('group', { name: 'Target status', exact: true })
  await expect(targetStatus.getByText('TARGET STATUS: CONNECTED')).toBeVisible()
  await expect(row.getByText('Running', { exact: true })).toBeVisible()
  await expect(
    page.getByRole('group', { name: 'Sent', exact: true }).getByText(/^[1-9][\d,]*$/),
  ).toBeVisible()

  await listener.stop()
  await expect(targetStatus.getByText('TARGET STATUS: DISCONNECTED')).toBeVisible()
  await expect(row.getByText('no peer', { exact: true })).toBeVisible()
  // In the row, and in the signal path below.
  await expect(page.getByText(`No answer from 127.0.0.1:${targetPort}.`).first()).toBeVisible()

  await button(row, 'Delete to a real target').click()
  await answer(
    page,
    "Delete the feeder 'to a real target'. This cannot be undone.",
    'Delete feeder',
  )
  await expect(row).toHaveCount(0)
  await expect(page.getByText('No feeders yet', { exact: true })).toBeVisible()
})

test('decisions 11 a feeder that the running encoder does not feed yet: its restart is offered, and solves it', async ({
  page,
  site,
}) => {
  await using camera = await ownLiveEncoder(site, CARD)
  const targetPort = await freeUdpPort(27_500, new Set())
  const inputPort = await freeUdpPort(27_700, new Set())
  await using _listener = openTarget(targetPort)
  await openDashboard(page, site, 'manager')
  await button(page, `Start ${camera.title}`).click()
  await expect(
    page.getByRole('article', { name: camera.title }).getByText('Running', { exact: true }),
  ).toBeVisible()
  await openPage(page, site, `/dashboard/editEncoder/${camera.id}?tab=feeder`, 'Configure Encoder')
  await button(page, 'Add feeder').click()
  const dialog = dialogOf(page, 'Add feeder')
  await dialog.getByLabel('Title', { exact: true }).fill('added while it runs')
  await dialog.getByLabel('Server', { exact: true }).selectOption({ label: 'Demo gateway' })
  await dialog.getByLabel('Target IP', { exact: true }).fill('127.0.0.1')
  await dialog.getByLabel('Target port', { exact: true }).fill(String(targetPort))
  await dialog.getByLabel('Input port', { exact: true }).fill(String(inputPort))
  await button(dialog, 'Add feeder').click()
  await expect(dialog).toHaveCount(0)

  const row = rowOf(page, 'added while it runs')
  await button(row, 'Expand added while it runs').click()
  await button(row, 'Start added while it runs').click()
  const trouble = page.getByRole('group', { name: 'What to correct', exact: true })
  await expect(
    trouble.getByText(`The running encoder does not send to port ${inputPort} yet.`),
  ).toBeVisible()
  await button(trouble, 'Restart encoder').click()
  await button(page.getByRole('dialog', { name: 'Are you sure?' }), 'Restart encoder').click()
  await expect(trouble).toHaveCount(0)
  await expect(
    page.getByRole('group', { name: 'Sent', exact: true }).getByText(/^[1-9][\d,]*$/),
  ).toBeVisible()
  await button(row, 'Delete added while it runs').click()
  await answer(
    page,
    "Delete the feeder 'added while it runs'. This cannot be undone.",
    'Delete feeder',
  )
  await expect(row).toHaveCount(0)
})
