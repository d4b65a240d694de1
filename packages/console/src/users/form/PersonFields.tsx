/** First name, last name, e-mail: what every form of a person begins with. */
import { FormText } from '../../forms/DialogFields.tsx'
import type { Form } from '../../forms/form.hook.ts'
import fieldRow from '../../ui/field/FieldRow.module.css'
import type { PersonValues } from './user-form.rules.ts'

interface PersonFieldsProps<T extends PersonValues> {
  form: Form<T>
  /** A browser offers the operator's own name and address only for the own account. */
  whose: 'own' | 'other'
}

export function PersonFields<T extends PersonValues>({ form, whose }: PersonFieldsProps<T>) {
  const filledBy = (name: string) => (whose === 'own' ? name : 'off')
  return (
    <>
      <div className={fieldRow.pair}>
        <FormText form={form} name="firstName" autoComplete={filledBy('given-name')} />
        <FormText form={form} name="lastName" autoComplete={filledBy('family-name')} />
      </div>
      <FormText
        form={form}
        name="email"
        type="email"
        autoComplete={filledBy('username')}
        hint={whose === 'own' ? 'You sign in with it.' : 'They sign in with it.'}
      />
    </>
  )
}
