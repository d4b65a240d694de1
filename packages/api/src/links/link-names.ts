/** Which inputs or outputs a bulk call names: by name or by id, in any mixture (Q137). */
import type { LinkFailure } from '@trunkline/contract/contributions/link.schema'
import { notFound } from '../errors.ts'

/** What was found, each once and in the order of asking, and what names nothing the caller may see. */
export interface Named<Link> {
  links: Link[]
  failed: LinkFailure[]
}

/**
 * `found`: what a store knows of these names within the caller's groups. 404 when that is nothing at
 * all, so that another group's names read as if they were not there. `noun`: 'input', 'output'.
 */
export function named<Link extends { id: string; name: string }>(
  names: readonly string[],
  found: readonly Link[],
  noun: string,
): Named<Link> {
  if (found.length === 0) throw notFound(noun)
  const known = new Map(
    found.flatMap(
      (link) =>
        [
          [link.id, link],
          [link.name, link],
        ] as const,
    ),
  )
  const asked = [...new Set(names)]
  return {
    links: [...new Set(asked.flatMap((name) => known.get(name) ?? []))],
    failed: asked
      .filter((name) => !known.has(name))
      .map((name) => ({ name, error: notFound(noun).message })),
  }
}
