package io.holdpoint.internal.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SqueezedScriptTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "const a = b + c;|let a=b+c;",
                "a = 'const a' + each.const + isconst + each.const ;|a='const a'+each.const+isconst+each.const;",
                "a + +b - -c|a+ +b- -c",
                "return 'two  words' + \"it's  so\";|return'two  words'+\"it's  so\";",
                "x = 'it\\'s  so' ;|x='it\\'s  so';",
                "t = `a  ${ b  ? `c  ${ d }` : { e } }  f`;|t=`a  ${b?`c  ${d}`:{e}}  f`;",
                "r = /[/'  ]\\/ x/u .test( y ) / 2;|r=/[/'  ]\\/ x/u.test(y)/2;",
                "if (a) return /'/ ;|if(a)return/'/;",
                "a = b /* it's */ + c;|a=b+c;",
                "u = 'https://x'  ;|u='https://x';",
                "f(a, [b, c,], { d, },);|f(a,[b,c],{d});",
                "if (a) { b(); c(); }|if(a){b();c()}",
                "f = (a) => (b, c) => g((d) => d, () => 1, async (e) => e);|f=a=>(b,c)=>g(d=>d,()=>1,async(e)=>e);",
                "for (;;) { a(';}', ',)'); }|for(;;){a(';}',',)')}",
                "const a = 1; const { b } = { b: () => { c(); } }; let d; e = 2; const f = 3;|let a=1,{b}={b:()=>{c()}},d;e=2;let f=3;",
                "export const a = 1; const b = 2; const c = 3; export const d = 4;|export let a=1;let b=2,c=3;export let d=4;",
                "if (a) { const b = 1; } const c = 2; 'd'.e(); const f = [1]; `g`.h(); let i;|if(a){let b=1}let c=2;'d'.e();let f=[1];`g`.h();let i;",
                "function f() { for (let i = 0; i < 9; i++) { const j = i; } } const k = 1;|function f(){for(let i=0;i<9;i++){let j=i}}let k=1;",
            })
    void onlyBlanksThatNothingNeedsAreGone(String script, String squeezed) {
        assertThat(SqueezedScript.of(script)).isEqualTo(squeezed);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a :is(b, c) > d { margin: 0 auto; }|a :is(b,c)>d{margin:0 auto}",
                "@media (max-width: 3rem) { a { width: calc(1px + 2px); } }|@media (max-width:3rem){a{width:calc(1px + 2px)}}",
            })
    void aStyleNeedsNoBlanksAroundItsSigns(String style, String squeezed) {
        assertThat(SqueezedScript.of("x = `\n/* it's */ " + style + "\n`; // the end\n"))
                .isEqualTo("x=` " + squeezed + "`;");
    }
}
