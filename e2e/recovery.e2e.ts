/** The player comes back by itself after each part of the chain was killed (dataplane 6.1). */
import { chainParts, killHard, victims } from './chain.steps.ts'
import { expect, signIn, test } from './site.fixture.ts'
import { openChannel, pictureChanges, timeAdvances } from './player.steps.ts'

for (const part of chainParts) {
  test(`the ${part} is killed and the picture returns without a click`, async ({ page, site }) => {
    await signIn(page, site, 'monitor')
    const dialog = await openChannel(page)
    await timeAdvances(dialog)
    let pid: number | null = null
    const look = () => (pid = victims(site)[part])
    await expect.poll(look, 'it runs').not.toBeNull()
    killHard(pid)
    await expect
      .poll(() => [pid, null].includes(victims(site)[part]), 'supervisord started another')
      .toBe(false)
    await timeAdvances(dialog)
    await pictureChanges(dialog)
  })
}
