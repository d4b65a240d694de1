/** Every call of the contract, found by the names of its files, so that a new one is never forgotten. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Route } from '@trunkline/contract/route'

const CONTRACT = fileURLToPath(new URL('../../../contract/src', import.meta.url))

export async function allCalls(): Promise<Route[]> {
  const files = readdirSync(CONTRACT, { recursive: true, encoding: 'utf8' })
  const modules = files
    .filter((name) => name.endsWith('.calls.ts'))
    .map(async (name) => import(join(CONTRACT, name)) as Promise<Record<string, unknown>>)
  return (await Promise.all(modules)).flatMap((item) => Object.values(item)).filter(isRoute)
}

function isRoute(value: unknown): value is Route {
  return typeof value === 'object' && value !== null && 'successStatus' in value
}
