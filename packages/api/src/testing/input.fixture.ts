/** Inputs and outputs for tests, added by the calls of the product. */
import { addInput } from '@trunkline/contract/contributions/input.calls'
import type { Input } from '@trunkline/contract/contributions/input.schema'
import { addOutput } from '@trunkline/contract/contributions/output.calls'
import type { InjectInput } from './inject.ts'
import type { TestSite } from './test-site.ts'

export type InputBody = NonNullable<InjectInput<typeof addInput>['body']>
export type OutputBody = NonNullable<InjectInput<typeof addOutput>['body']>

/** Of group North, on the site's server for links: SRT, waiting on `port`. */
export function testInput(
  site: TestSite,
  port: number,
  { config, ...more }: Partial<InputBody> = {},
): InputBody {
  return {
    title: `Feed ${port}`,
    inputType: 'SRT',
    serverId: site.acantsId,
    groupId: site.north,
    ...more,
    config: { port, ...config },
  }
}

export async function addTestInput(
  site: TestSite,
  port: number,
  more: Partial<InputBody> = {},
): Promise<Input> {
  await site.ctx.hosts.linked({ host: '127.0.0.1', port: site.linkHost.port })
  const body = testInput(site, port, more)
  const { status, answer, text } = await site.call('admin', addInput, { body })
  if (status !== 201) throw new Error(`${addInput.name} answers ${text}`)
  return answer.data
}

/** An SRT output that calls 192.0.2.10:7000. */
export function outputBody(
  contributionId: string,
  { config, ...more }: Partial<OutputBody> = {},
): OutputBody {
  return {
    title: 'To far end',
    inputType: 'SRT',
    contributionId,
    ...more,
    config: { mode: 'Push', host: '192.0.2.10', port: 7000, ...config },
  }
}

/** Answers its id. */
export async function addTestOutput(
  site: TestSite,
  contributionId: string,
  more: Partial<OutputBody> = {},
): Promise<string> {
  const body = outputBody(contributionId, more)
  const { status, answer, text } = await site.call('admin', addOutput, { body })
  if (status !== 201) throw new Error(`${addOutput.name} answers ${text}`)
  return answer.id
}
