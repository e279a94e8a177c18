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
                "a { opacity: 0.5; margin: 10.5px calc(0.5em); }|a{opacity:.5;margin:10.5px calc(.5em)}",
            })
    void aStyleNeedsNoBlanksAroundItsSigns(String style, String squeezed) {
        assertThat(SqueezedScript.of("x = `\n/* it's */ " + style + "\n`; // the end\n"))
                .isEqualTo("x=` " + squeezed + "`;");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "let first=1;f(first,a.first,{first,b:first,first:2});|let e=1;f(e,a.first,{first:e,b:e,first:2});",
                "let{one,two:other=one,...more}=x;g(one,other,more)|let{one:e,two:t=e,...n}=x;g(e,t,n)",
                "let one=1,[two,{three}]=x,four;one+two+three+four|let e=1,[t,{three:n}]=x,r;e+t+n+r",
                "let f=(one,{two='one'},...three)=>{return{one,two}};|let f=(e,{two:t='one'},...n)=>{return{one:e,two:t}};",
                "export function name(value){return value}name();|export function name(e){return e}name();",
                "export let kept=each=>kept(each);let each=kept;|export let kept=e=>kept(e);let e=kept;",
                "class Own extends Other{#one=1;static two=three;get three(){return this.#one}four(one){}}let three=new Own;"
                        + "|class e extends Other{#one=1;static two=t;get three(){return this.#one}four(n){}}let t=new e;",
                "let own=f({class:'own'}),g=()=>{own=1};|let e=f({class:'own'}),g=()=>{e=1};",
                "let node=x;t=`${node}node ${{node}.node?`${node}`:''} node`|let e=x;t=`${e}node ${{node:e}.node?`${e}`:''} node`",
                "let a=1,long=/long/;if(console&&long){screen(long)}|let a=1,e=/long/;if(console&&e){screen(e)}",
                "import{own}from'./own.js';let two=own;two|import{own}from'./own.js';let e=own;e",
                "let f=one=>one,g=(two)=>two;|let f=e=>e,g=(e)=>e;",
                "function own({one}){let two=1;return two}function other(three){return own(three)}"
                        + "|function e({one:n}){let t=1;return t}function n(t){return e(t)}",
                "let own=1;if(own){let one=own;f(one)}for(let two of own){f(own)}let one=3;|let e=1;if(e){let t=e;f(t)}for(let t of e){f(e)}let t=3;",
                "for(let each of all)if(each?.own)try{own(each)}catch(wrong){own(wrong)}|for(let e of all)if(e?.own)try{own(e)}catch(t){own(t)}",
            })
    void variablesHaveShortNames(String script, String shortened) {
        assertThat(ShortNames.of(script)).isEqualTo(shortened);
    }
}
