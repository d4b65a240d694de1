/** How a person has arranged a list of the console: kept with the account. */
import { z } from 'zod'

const ARRANGED_LISTS = [
  'activity',
  'alarms',
  'apiTokens',
  'channels',
  'destinations',
  'encoders',
  'groups',
  'inputs',
  'outputs',
  'paths',
  'servers',
  'users',
] as const
export const ArrangedList = z.enum(ARRANGED_LISTS)
export type ArrangedList = z.infer<typeof ArrangedList>

export const LONGEST_FILTER_NAME = 60
/** Two and a half browsers full of what a browser kept before accounts did. */
export const MOST_SAVED_FILTERS = 50
/** Of one list, as JSON: 50 filters of some 400 characters. */
const LONGEST_VIEW = 20_000
const MOST_HIDDEN = 20
const MOST_VALUES = 20

export const SavedFilter = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1, 'must not be empty.')
    .max(LONGEST_FILTER_NAME, `must be at most ${LONGEST_FILTER_NAME} characters long.`),
  /** Search, filters and sorting, by their names in the address of the list. */
  values: z
    .record(z.string().max(40), z.string().max(200, 'must be at most 200 characters long.'))
    .refine(
      (values) => Object.keys(values).length <= MOST_VALUES,
      `must be at most ${MOST_VALUES} values.`,
    ),
})
export type SavedFilter = z.output<typeof SavedFilter>

/** Headings of the columns that are not shown. */
export const HiddenColumns = z
  .array(z.string().max(40))
  .max(MOST_HIDDEN, `must be at most ${MOST_HIDDEN} columns.`)

/** Names differ: a filter goes by its name. */
export const SavedFilters = z
  .array(SavedFilter)
  .max(MOST_SAVED_FILTERS, `must be at most ${MOST_SAVED_FILTERS} saved filters. Delete some.`)
  .refine(
    (saved) => new Set(saved.map(({ name }) => name)).size === saved.length,
    'must each have another name.',
  )
  .refine(
    (saved) => JSON.stringify(saved).length <= LONGEST_VIEW,
    `must be at most ${LONGEST_VIEW} characters in all. Delete some saved filters.`,
  )

export const ListView = z.object({
  list: ArrangedList,
  hidden: HiddenColumns,
  saved: SavedFilters,
  version: z.number(),
})
export type ListView = z.output<typeof ListView>
