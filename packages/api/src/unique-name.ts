import { newId } from './id.ts'

const SLUG_CHARACTERS = 40
const RANDOM_CHARACTERS = 6

/** A name for an object that people title: readable, and unique without asking (Q51, Q137). */
export function uniqueName(title: string): string {
  const slug = title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_CHARACTERS)
    .replace(/^-+|-+$/g, '')
  const random = newId().slice(0, RANDOM_CHARACTERS)
  return slug === '' ? random : `${slug}-${random}`
}
