/** The fields of a dialog: each has the label that its form declares, what is typed, and what is wrong with it. */
import type { ComponentProps, ReactNode } from 'react'
import { KEY_CHOICES, type KeyChoice } from '../shared/link-settings/encryption.rules.ts'
import { GenerateKey } from '../shared/link-settings/GenerateKey.tsx'
import { Field, TextArea } from '../ui/field/Field.tsx'
import { SecretField } from '../ui/field/SecretField.tsx'
import { SelectField } from '../ui/choice/SelectField.tsx'
import { type Form, textProps } from './form.hook.ts'
import type { NameOf } from './merge.rules.ts'
import type { SecretField as SecretName } from '../shared/kept/secret-fields.rules.ts'

interface Named<T> {
  form: Form<T>
  name: NameOf<T>
}

type Own<P, T> = Omit<P, 'label' | 'value' | 'error' | keyof Named<T>> & Named<T>

/** `shown`: what is offered, while nothing is typed. */
export function FormText<T extends object>({
  form,
  name,
  shown,
  ...more
}: Own<ComponentProps<typeof Field>, T> & { shown?: string }) {
  const typing = textProps(form, name)
  return (
    <Field
      label={labelIn(form, name)}
      autoComplete="off"
      {...typing}
      value={shown ?? typing.value}
      {...more}
    />
  )
}

export function FormArea<T extends object>({
  form,
  name,
  ...more
}: Own<ComponentProps<typeof TextArea>, T>) {
  return <TextArea label={labelIn(form, name)} {...textProps(form, name)} {...more} />
}

/** Goes in and never comes out; a browser shall neither fill in the operator's own nor keep this one. */
export function FormSecret<T extends object>({
  form,
  name,
  ...more
}: Own<ComponentProps<typeof SecretField>, T> & { name: SecretName }) {
  return (
    <SecretField
      label={labelIn(form, name)}
      autoComplete="new-password"
      spellCheck={false}
      {...textProps(form, name)}
      {...more}
    />
  )
}

/** Of the own account, before something that a stolen session must not do. */
export function CurrentPassword<T extends { currentPassword: string }>(
  props: Omit<ComponentProps<typeof FormSecret<T>>, 'name' | 'secret'>,
) {
  return (
    <FormSecret<T>
      name={'currentPassword' as NameOf<T> & SecretName}
      secret="current password"
      autoComplete="current-password"
      {...props}
    />
  )
}

type SelectProps<V extends string> = ComponentProps<typeof SelectField<V>>

/** `onChange`: in place of a plain edit; `error`: in place of what is wrong with the field. */
export function FormSelect<T extends object, V extends string>({
  form,
  name,
  ...more
}: Omit<SelectProps<V>, 'label' | 'value' | 'onChange' | keyof Named<T>> &
  Named<T> &
  Partial<Pick<SelectProps<V>, 'value' | 'onChange'>>) {
  return (
    <SelectField<V>
      label={labelIn(form, name)}
      value={form.values[name] as V}
      error={form.errorOf(name)}
      onBlur={() => form.leave(name)}
      onChange={(value) => form.set({ [name]: value } as Partial<T>)}
      {...more}
    />
  )
}

function labelIn<T>({ labels }: Form<T>, name: string): string {
  return labels[name] ?? name
}

interface KeyFieldsProps<T> {
  form: Form<T>
  /** The field of the choice, for its label and what is wrong with it. */
  choice: NameOf<T>
  value: KeyChoice
  onChoose: (choice: KeyChoice) => void
  passphrase: NameOf<T> & SecretName
  /** Of the passphrase. */
  hint: ReactNode
  choiceHint: string
  /** Around the choice and what stands before it, and the passphrase too unless that is below. */
  className: string | undefined
  isBelow: boolean
  children?: ReactNode
}

/** Whether, with which size of key, and the passphrase. */
export function KeyFields<T extends object>(props: KeyFieldsProps<T>) {
  const { form, value, passphrase, isBelow } = props
  const secret = value !== 'no' && (
    <FormSecret form={form} name={passphrase} secret="passphrase" hint={props.hint} />
  )
  return (
    <>
      <div className={props.className}>
        {props.children}
        <FormSelect
          form={form}
          name={props.choice}
          choices={KEY_CHOICES}
          value={value}
          hint={props.choiceHint}
          onChange={props.onChoose}
        />
        {!isBelow && secret}
      </div>
      {isBelow && secret}
      {value !== 'no' && (
        <GenerateKey
          passphrase={String(form.values[passphrase])}
          onGenerate={(next) => form.set({ [passphrase]: next } as Partial<T>)}
        />
      )}
    </>
  )
}
