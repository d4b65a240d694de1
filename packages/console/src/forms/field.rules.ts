/** How a form declares its fields: a short list of them, each with all that the page needs to draw it. */
import type { Choice } from '../ui/choice/Select.tsx'
import type { Segment } from '../ui/choice/Segmented.tsx'
import type { FormRules, FormState } from './form-state.rules.ts'
import { isSame } from '../shared/kept/is-same.rules.ts'
import type { NameOf } from './merge.rules.ts'
import type { PlannedChange } from './SavePlan.tsx'

/** What a hint or a list of choices may depend on; `context`: what the page looked up for the form. */
export interface FieldView<T, C> {
  values: T
  context: C
  isFaulty: boolean
}

export interface FieldSpec<T, C> {
  label: string | ((values: T) => string)
  /** Away from its tab and its neighbours, in lists of changes; without it the label. */
  fullLabel?: string
  /** Absent: above the tabs, always in sight. */
  tab?: string
  /** Text by default; a number takes digits only; a switch is '1' when it is on. */
  control?: 'text' | 'number' | 'choice' | 'switch' | 'segments'
  unit?: string
  placeholder?: string
  choices?: readonly Choice<string>[] | ((view: FieldView<T, C>) => readonly Choice<string>[])
  segments?: readonly Segment<string>[] | ((values: T) => readonly Segment<string>[])
  /** What its value means. */
  hint?: string | ((view: FieldView<T, C>) => string)
}

export interface FormSpec<T extends object, C> {
  rules: FormRules<T>
  fields: Readonly<Record<string, FieldSpec<T, C>>>
  /** As an operator reads it: '3000 ms', 'Any', 'on', a title; never a secret. */
  shownText: (values: T, name: NameOf<T>, context: C) => string
}

export function specOf<T extends object, C>(
  { fields }: Pick<FormSpec<T, C>, 'fields'>,
  name: string,
): FieldSpec<T, C> {
  return fields[name] ?? { label: name }
}

export function labelOf<T extends object, C>(
  spec: Pick<FormSpec<T, C>, 'fields'>,
  name: string,
  values: T,
): string {
  const { label } = specOf(spec, name)
  return typeof label === 'string' ? label : label(values)
}

/** Away from its tab: 'Audio bitrate'. */
export function fullLabelOf<T extends object, C>(
  spec: Pick<FormSpec<T, C>, 'fields'>,
  name: string,
  values: T,
): string {
  return specOf(spec, name).fullLabel ?? labelOf(spec, name, values)
}

/** Of a field, and of a part of one: 'output.0.port'. Null: above the tabs. */
export function tabOf<T extends object, C>(
  { fields }: Pick<FormSpec<T, C>, 'fields'>,
  name: string,
): string | null {
  return (fields[name] ?? fields[name.split('.')[0] ?? ''])?.tab ?? null
}

/** What saving changes, field by field, as an operator reads it. */
export function plannedChanges<T extends object, C>(
  spec: FormSpec<T, C>,
  { base, values, reasons }: Pick<FormState<T>, 'base' | 'values' | 'reasons'>,
  context: C,
): PlannedChange[] {
  return spec.rules.names
    .filter((name) => !isSame(base[name], values[name]))
    .map((name) => ({
      name,
      label: fullLabelOf(spec, name, values),
      before: spec.shownText(base, name, context),
      after: spec.shownText(values, name, context),
      why: reasons[name] ?? '',
    }))
}

/** How reasons begin that stand beside the field too. */
const SHOWN_CAUSES = ['follows', 'calculated']

/** 'was 3500', 'follows bitrate, was 3500'; '' for a field as it was saved. */
export function wasText<T extends object, C>(
  spec: FormSpec<T, C>,
  { base, values, reasons }: Pick<FormState<T>, 'base' | 'values' | 'reasons'>,
  name: NameOf<T>,
  context: C,
): string {
  if (isSame(base[name], values[name])) return ''
  const was = `was ${spec.shownText(base, name, context)}`
  const why = reasons[name] ?? ''
  return SHOWN_CAUSES.some((cause) => why.startsWith(cause)) ? `${why}, ${was}` : was
}

export function tabsOf<T extends object, C>(
  spec: Pick<FormSpec<T, C>, 'fields'>,
  names: readonly string[],
): ReadonlySet<string> {
  return new Set(names.flatMap((name) => tabOf(spec, name) ?? []))
}

/** Choices that are their own labels. */
export function plainChoices(values: readonly (string | number)[]): Choice<string>[] {
  return values.map((value) => ({ value: String(value), label: String(value) }))
}
