/** First name, last name, e-mail: what every form of a person begins with. */
import { textProps, type Form } from '../forms/form.hook.ts'
import { Field } from '../ui/Field.tsx'
import classes from './UserForm.module.css'
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
      <div className={classes.pair}>
        <Field
          label="First name"
          autoComplete={filledBy('given-name')}
          data-autofocus
          {...textProps(form, 'firstName')}
        />
        <Field
          label="Last name"
          autoComplete={filledBy('family-name')}
          {...textProps(form, 'lastName')}
        />
      </div>
      <Field
        label="Email"
        type="email"
        autoComplete={filledBy('username')}
        hint={whose === 'own' ? 'You sign in with it.' : 'They sign in with it.'}
        {...textProps(form, 'email')}
      />
    </>
  )
}
