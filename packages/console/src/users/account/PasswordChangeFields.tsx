/** A new password and its confirmation; left empty, the current one stays (USER-13, USER-15). */
import { textProps, type Form } from '../../forms/form.hook.ts'
import { PasswordField } from '../form/PasswordField.tsx'
import type { AccountValues } from '../form/user-form.rules.ts'
import classes from '../form/UserForm.module.css'
import fieldRow from '../../ui/field/FieldRow.module.css'

interface PasswordChangeFieldsProps<T extends AccountValues> {
  form: Form<T>
  /** What a new password does besides. */
  consequence: string
}

export function PasswordChangeFields<T extends AccountValues>(props: PasswordChangeFieldsProps<T>) {
  const { form, consequence } = props
  const { firstName, lastName, email, newPassword } = form.values
  return (
    <>
      <div className={fieldRow.pair}>
        <PasswordField
          label="New password"
          personal={[firstName, lastName, email]}
          hint="Leave empty to keep the current one."
          {...textProps(form, 'newPassword')}
        />
        <PasswordField
          label="Confirm password"
          personal={null}
          {...textProps(form, 'newConfirmPassword')}
        />
      </div>
      {newPassword !== '' && <p className={classes.note}>{consequence}</p>}
    </>
  )
}
