/** Between the fields of a form, named by their dotted paths, and the object that goes over the wire. */

export type Tree = Record<string, unknown>

/** Every field as its text; '' for what the object does not have. */
export function textsOf<const N extends string>(
  names: readonly N[],
  object: object,
  textOf: (value: unknown, name: N) => string = plainText,
): Record<N, string> {
  const texts = names.map((name) => [name, textOf(valueAt(object, name), name)])
  return Object.fromEntries(texts) as Record<N, string>
}

/** '' for what is neither text nor number. */
export function plainText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

function valueAt(object: object, path: string): unknown {
  let at: unknown = object
  for (const part of path.split('.')) {
    at = typeof at === 'object' && at !== null ? (at as Tree)[part] : undefined
  }
  return at
}

/** The object that has those fields, right or wrong: the schema judges it. What is undefined is left out. */
export function treeOf<const N extends string>(
  names: readonly N[],
  valueOf: (name: N) => unknown,
): Tree {
  const tree: Tree = {}
  for (const name of names) {
    const value = valueOf(name)
    if (value !== undefined) put(tree, name.split('.'), value)
  }
  return tree
}

function put(tree: Tree, [first = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    tree[first] = value
    return
  }
  const branch = (tree[first] ?? {}) as Tree
  put(branch, rest, value)
  tree[first] = branch
}

/** Digits are a number on the wire; other text goes as it is, for the schema to refuse. */
export function numberOrText(text: string): number | string {
  return /^\d{1,12}$/.test(text) ? Number(text) : text
}
