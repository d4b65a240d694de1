/** 'Encryption': whether, with which size of key, and the passphrase, which goes in and never comes out. */
import { labelOf } from '../../../forms/field.rules.ts'
import { FieldPlace } from '../../../forms/FormField.tsx'
import {
  KEY_CHOICES,
  type KeyChoice,
  keyChoiceOf,
  keyChoiceText,
} from '../../../shared/link-settings/encryption.rules.ts'
import { GenerateKey } from '../../../shared/link-settings/GenerateKey.tsx'
import { Fields, Section } from '../../../shared/page/Section.tsx'
import { SecretField } from '../../../ui/field/SecretField.tsx'
import { SelectField } from '../../../ui/choice/SelectField.tsx'
import classes from './EncryptionTab.module.css'
import { copiedKey, KEY_HINT, NO_ENCRYPTION } from '../form.messages.ts'
import { type LinkValues, mayEncrypt } from '../link-field.rules.ts'
import type { LinkForm } from '../link-form.hook.ts'

export function EncryptionTab({ form }: { form: LinkForm }) {
  const { values } = form.state
  if (!mayEncrypt(values)) {
    return (
      <Section title="Encryption">
        <p className={classes.none}>
          {NO_ENCRYPTION[values.inputType === 'Local' ? 'Local' : 'Simple']}
        </p>
      </Section>
    )
  }
  return (
    <Section title="Encryption">
      <Fields columns={3}>
        <KeyChoiceField form={form} />
        {isOn(values) && <PassphraseField form={form} />}
      </Fields>
    </Section>
  )
}

function isOn(values: LinkValues): boolean {
  return values['encryption.selection'] === 'yes'
}

/** None, AES-128 or AES-256: two fields of the wire in one control, as in feeders and destinations. */
function KeyChoiceField({ form }: { form: LinkForm }) {
  const { base, values } = form.state
  const choiceIn = (from: LinkValues) =>
    keyChoiceOf(from['encryption.selection'], from['encryption.type'])
  const [was, now] = [choiceIn(base), choiceIn(values)]
  const isChanged = form.marksChanges && was !== now
  const name = 'encryption.selection'
  const goes = values.hasKey && !isOn(values) ? KEY_HINT.goes : ''
  const choose = (choice: KeyChoice) => {
    const change: Partial<LinkValues> =
      choice === 'no' ? { [name]: 'no' } : { [name]: 'yes', 'encryption.type': choice }
    form.take({ step: 'edit', change })
  }
  return (
    <FieldPlace name={name} isChanged={isChanged}>
      <SelectField
        label={labelOf(form.spec, name, values)}
        choices={KEY_CHOICES}
        value={now}
        error={form.faultAt(name) || form.faultAt('encryption.type')}
        hint={isChanged ? `was ${keyChoiceText(was)}` : goes}
        onChange={choose}
        onBlur={() => form.leave(name)}
      />
    </FieldPlace>
  )
}

const NAME = 'encryption.passphrase'

function PassphraseField({ form }: { form: LinkForm }) {
  const { values } = form.state
  const typed = values[NAME]
  const edit = (text: string) => form.take({ step: 'edit', change: { [NAME]: text } })
  return (
    <FieldPlace name={NAME} isChanged={form.marksChanges && typed !== ''}>
      <SecretField
        label={labelOf(form.spec, NAME, values)}
        secret="passphrase"
        autoComplete="new-password"
        spellCheck={false}
        value={typed}
        error={form.faultAt(NAME)}
        hint={passphraseHint(form)}
        onChange={({ target }) => edit(target.value)}
        onBlur={() => form.leave(NAME)}
      />
      <div className={classes.generate}>
        <GenerateKey passphrase={typed} onGenerate={edit} />
      </div>
    </FieldPlace>
  )
}

function passphraseHint({ state, context }: LinkForm): string {
  const { base, values } = state
  const destination = context.destinationOf(values.destinationId)
  // As the API copies it: no key is stored, or the destination is another one (decisions.md 17).
  const isCopied = !values.hasKey || base.destinationId !== values.destinationId
  if (destination?.encryption.selection === 'yes' && isCopied) {
    return copiedKey(destination.title)
  }
  if (values.feeder !== null) return copiedKey(`feeder '${values.feeder.title}'`)
  return values.hasKey ? KEY_HINT.kept : KEY_HINT.fresh
}
