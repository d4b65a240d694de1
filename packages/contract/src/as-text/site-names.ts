/** Which object a title in a text means, and how an object is called in one. */
import { keyText, type TextKey, type TextKind } from './text-object.schema.ts'

export class SiteNames {
  readonly #ids = new Map<string, string[]>()
  readonly #keys = new Map<string, TextKey>()

  add(kind: TextKind, key: TextKey, id: string): void {
    const text = keyText(kind, key)
    const ids = this.#ids.get(text)
    if (ids === undefined) this.#ids.set(text, [id])
    else ids.push(id)
    this.#keys.set(keyText(kind, [id]), key)
  }

  /** Several where the site has several of that title. */
  idsOf(kind: TextKind, key: TextKey): readonly string[] {
    return this.#ids.get(keyText(kind, key)) ?? []
  }

  /** null for what the caller does not see. */
  keyOf(kind: TextKind, id: string): TextKey | null {
    return this.#keys.get(keyText(kind, [id])) ?? null
  }

  /** Its title or e-mail, without its group; '' for none, the id for what the caller does not see. */
  titleOf(kind: TextKind, id: string): string {
    return id === '' ? '' : (this.keyOf(kind, id)?.at(-1) ?? id)
  }

  /** Of what lies in a group. */
  groupOf(kind: TextKind, id: string): string {
    return this.keyOf(kind, id)?.[0] ?? ''
  }
}
