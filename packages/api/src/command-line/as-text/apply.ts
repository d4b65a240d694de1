/** `trunkline apply`: from a file to a plan, and from a plan to the site. */
import { carryOut } from '@trunkline/contract/as-text/import.client'
import { type MakeCall, readSite, type Site } from '@trunkline/contract/as-text/site.client'
import { keyName, keyText } from '@trunkline/contract/as-text/text-object.schema'
import { readCaller } from '@trunkline/contract/users/caller.calls'
import { scopeRefusal } from '../../users/api-tokens/token-guard.ts'
import type { CommandAnswer } from '../command.ts'
import { CallRefused } from '../api.client.ts'
import { interruptionSentence } from '../interruption.ts'
import { callOf, type Plan, type PlanOptions, planFor, type Step } from './apply-plan.ts'
import { faultText, planText, stepName } from './plan-text.ts'
import { FILE_KINDS, readSiteFile, type Secrets } from './site-file.ts'

export interface Apply extends PlanOptions {
  fileName: string
  text: string
  secrets: Secrets
  isDryRun: boolean
  /** A plan that has something to do ends with 2, as Terraform's does; for dry runs. */
  hasDetailedExitCode: boolean
  /** Of what is on air and may be interrupted. */
  onAirTitles: readonly string[]
  /** Shows a plan that has something to do, and answers whether it is to be carried out. */
  confirm(planText: string): Promise<boolean>
}

/** People are read for their e-mails, by which groups and encoders name them. */
const KINDS = ['user', ...FILE_KINDS] as const

export async function readAllObjects(call: MakeCall): Promise<Site> {
  return readSite(call, KINDS)
}

/** `call` interrupts nothing that is on air; `interruptingCall` has the titles with it. */
export async function apply(
  call: MakeCall,
  interruptingCall: MakeCall,
  asked: Apply,
): Promise<CommandAnswer> {
  const { data: caller } = await call(readCaller, {})
  const refusal = caller.apiToken === null ? null : scopeRefusal(caller.apiToken, 'all')
  if (refusal !== null && !asked.isDryRun) return failed(`${refusal} Nothing was changed.\n`)
  const file = readSiteFile(asked.text, asked.secrets)
  const site = await readAllObjects(call)
  const plan = await planFor(call, site, file, { ...asked, role: caller.role })
  if (plan.faults.length > 0) return failed(faultText(asked.fileName, plan.faults))
  if (plan.steps.length === 0) return { text: planText(plan), exitCode: 0 }
  const text = `${planText(plan)}${refusal === null ? '' : `\n${refusal}\n`}`
  if (asked.isDryRun) return { text, exitCode: asked.hasDetailedExitCode ? 2 : 0 }
  const interrupted = interruptionFault(plan, asked.onAirTitles)
  if (interrupted !== '') return failed(`${text}\n${interrupted}\n`)
  if (!(await asked.confirm(text))) return failed('Nothing was changed.\n')
  const changed = changesSince(site, await readAllObjects(call))
  if (changed.length > 0) {
    return failed(
      `The site has changed since this plan was made: ${listed(changed)}. Nothing was changed by this command. Run it again for a new plan.\n`,
    )
  }
  return carriedOut(interruptingCall, site, plan)
}

function failed(text: string): CommandAnswer {
  return { text, exitCode: 1 }
}

function interruptionFault({ steps }: Plan, titles: readonly string[]): string {
  const refusals = steps.flatMap(({ onAir }) => (onAir === null ? [] : [onAir]))
  return interruptionSentence(refusals, titles)
}

/** Whatever was saved, added or removed meanwhile, by name. */
function changesSince(before: Site, after: Site): string[] {
  const [old, now] = [versionsOf(before), versionsOf(after)]
  const names = new Map([...old, ...now].map(([text, { name }]) => [text, name]))
  return [...names]
    .filter(([text]) => old.get(text)?.state !== now.get(text)?.state)
    .map(([, name]) => name)
}

function versionsOf({ objects }: Site): Map<string, { name: string; state: string }> {
  return new Map(
    FILE_KINDS.flatMap((kind) =>
      objects[kind].map(({ id, key, version, isEnabled }) => [
        `${keyText(kind, key)}\n${id}`,
        { name: `${kind} ${keyName(key)}`, state: `${version} ${String(isEnabled)}` },
      ]),
    ),
  )
}

const LISTED = 10

function listed(names: readonly string[]): string {
  const more = names.length > LISTED ? ` and ${names.length - LISTED} more` : ''
  return `${names.slice(0, LISTED).join(', ')}${more}`
}

/** What is refused does not hold up the rest: each step is done as a whole or not at all. */
async function carriedOut(call: MakeCall, site: Site, plan: Plan): Promise<CommandAnswer> {
  const versions = new Map<string, number>()
  const lines: string[] = []
  let refused = 0
  for (const step of plan.steps) {
    const error = await carryStep(call, site, step, versions)
    if (error !== null) refused++
    lines.push(`${stepName(step)}: ${error === null ? 'done' : `refused. ${sentenceOf(error)}`}`)
    if (error instanceof CallRefused && error.httpStatus === 0) break
  }
  const left = plan.steps.length - lines.length
  const sum = `${lines.length - refused} done, ${refused} refused${left > 0 ? `, ${left} not tried` : ''}.`
  return { text: `${lines.join('\n')}\n\n${sum}\n`, exitCode: refused > 0 ? 1 : 0 }
}

/** Answers what it was refused with; null when it was done. */
async function carryStep(
  call: MakeCall,
  site: Site,
  step: Step,
  versions: Map<string, number>,
): Promise<unknown> {
  if (step.planned !== null) return (await carryOut(call, site, step.planned, versions)).error
  try {
    const prepared = callOf(site, enabledStep(site, step))
    if (prepared === null) throw new Error('It was not added.')
    const { route, params, body } = prepared
    const answer = (await call(route, { params, body })) as {
      failed?: { error: string }[]
      data?: { version?: number }
    }
    // Feeders are saved against the version of their encoder.
    const version = answer.data?.version
    if (version !== undefined && step.stored !== null) versions.set(step.stored.id, version)
    const [failure] = answer.failed ?? []
    return failure === undefined ? null : new Error(failure.error)
  } catch (error) {
    return error
  }
}

/** What was added by an earlier step has its id by now. */
function enabledStep(site: Site, step: Step): Step {
  const [id] = site.names.idsOf(step.kind, step.key)
  if (step.stored !== null || id === undefined) return step
  const { kind, key } = step
  const stored = { kind, id, key, version: 1, text: {}, wire: {}, isEnabled: true }
  return { ...step, stored }
}

function sentenceOf(error: unknown): string {
  const sentence = error instanceof Error ? error.message : String(error)
  const changed = error instanceof CallRefused ? (error.failure?.changed ?? []) : []
  return changed.length === 0
    ? sentence
    : `${sentence} Changed by somebody else: ${changed.join(', ')}.`
}
