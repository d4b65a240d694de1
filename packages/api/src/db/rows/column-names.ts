/** Rows whose columns are called as the fields of an object are: 'used_at' for 'usedAt'. */
type ColumnName<Field extends string> = Field extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${ColumnName<Rest>}`
  : ''

type RowOf<T> = { [Field in keyof T & string as ColumnName<Field>]: T[Field] }

const columns = new Map<string, string>()
const fields = new Map<string, string>()

export function toRow<T extends object>(object: T): RowOf<T> {
  return renamed(object, columns, (field) =>
    field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  ) as RowOf<T>
}

export function fromRow<T extends object>(row: RowOf<T>): T {
  return renamed(row, fields, (column) =>
    column.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
  ) as T
}

function renamed(from: object, known: Map<string, string>, nameOf: (name: string) => string) {
  return Object.fromEntries(
    Object.entries(from).map(([name, value]: [string, unknown]) => {
      const other = known.get(name) ?? nameOf(name)
      known.set(name, other)
      return [other, value]
    }),
  )
}
